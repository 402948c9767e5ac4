// Studying a game: bots that play on in a what-if line, and legends that point out their lines.
import { narrow, put, say, table } from "./common";

let playing = false;

function bar(): HTMLElement | null {
  return document.getElementById("bots-on");
}

// Shows whether the bots are playing; the bar is new after every answer.
function show(): void {
  const here = bar();
  if (!here) return;
  for (const button of here.querySelectorAll<HTMLButtonElement>("[data-bots-on]")) {
    button.hidden = (button.dataset.botsOn === "stop") !== playing;
  }
  here.querySelector<HTMLSelectElement>("select")!.disabled = playing;
  const status = here.querySelector<HTMLElement>("[data-running]")!;
  status.textContent = playing ? status.dataset.running! : "";
}

// Asks for a few actions at a time, until the goal is reached or the user stops.
async function play(goal: string): Promise<void> {
  const here = bar()!;
  const bot = here.querySelector<HTMLSelectElement>("select")!.value;
  const headers = { "HX-Request": "true", ...(JSON.parse(document.body.getAttribute("hx-headers")!) as object) };
  const since = here.dataset.head!;
  let version = here.dataset.version!;
  playing = true;
  show();
  while (playing) {
    const body = new URLSearchParams({ goal, since, version, bot });
    const answer = await fetch(here.dataset.url!, { method: "POST", headers, body }).catch(() => null);
    if (!answer) say(document.body.dataset.lost ?? "", "bad");
    else put(await answer.text());
    if (!answer?.ok || answer.headers.get("X-Carril-Done") === "yes") break;
    version = answer.headers.get("X-Carril-Version")!;
  }
  playing = false;
  show();
}

// Fades the other lines of a chart while the pointer is on a name in its legend.
function point(event: Event): void {
  const target = event.target as Element;
  for (const old of table().querySelectorAll(".pointed")) old.classList.remove("pointed");
  const named = target.closest?.<HTMLElement>(".legend [data-series]");
  if (!named) return;
  const chart = named.closest(".chart")!;
  chart.classList.add("pointed");
  chart.querySelector(`svg [data-series="${named.dataset.series}"]`)?.classList.add("pointed");
}

// On a phone the board is below the panel, and its open tab may be outside the row of tabs.
function showBoard(): void {
  table().querySelector(".board")!.scrollIntoView();
  table().querySelector('.board [aria-selected="true"]')!.scrollIntoView({ block: "nearest", inline: "nearest" });
}

export function startStudy(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (target.closest(".row-link, .panel-over [data-view]") && narrow()) showBoard();
    const button = target.closest<HTMLElement>("[data-bots-on]");
    if (!button) return;
    if (button.dataset.botsOn === "stop") playing = false;
    else if (!playing) void play(button.dataset.botsOn!);
  });
  document.addEventListener("pointerover", point);
  document.body.addEventListener("carril:parts", show);
}
