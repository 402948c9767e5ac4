// Counts the time of the player whose clock runs down, by the time of the server.
const DAY = 86400;
const HOUR = 3600;

let ahead = 0; // milliseconds by which the server is ahead of this browser

export function span(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const sign = seconds <= -1 ? "-" : "";
  const two = (number: number): string => String(number).padStart(2, "0");
  const hours = Math.floor(whole / HOUR) % 24;
  const minutes = Math.floor(whole / 60) % 60;
  if (whole >= DAY) return `${sign}${Math.floor(whole / DAY)} d ${hours} h`;
  if (whole >= HOUR) return `${sign}${hours} h ${two(minutes)} min`;
  return `${sign}${minutes}:${two(whole % 60)}`;
}

function synchronize(): void {
  const stamp = document.getElementById("server-now");
  if (stamp?.dataset.now) ahead = Number(stamp.dataset.now) - Date.now();
  tick();
}

function tick(): void {
  for (const shown of document.querySelectorAll<HTMLElement>("[data-until]")) {
    const text = span((Number(shown.dataset.until) - Date.now() - ahead) / 1000);
    if (shown.textContent !== text) shown.textContent = text;
  }
}

export function startClock(): void {
  document.body.addEventListener("carril:parts", synchronize);
  synchronize();
  setInterval(tick, 1000);
}
