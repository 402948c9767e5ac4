// Used on every page: theme, number steppers, explanations of refusals.

const THEMES = ["", "light", "dark"];

function theme(): string {
  return document.documentElement.dataset.theme ?? "";
}

function setTheme(name: string): void {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  document.cookie = `theme=${name}; path=/; max-age=31536000; samesite=lax`;
}

function switchTheme(button: HTMLElement): void {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  setTheme(next);
  const name = next === "light" ? button.dataset.light : next === "dark" ? button.dataset.dark : button.dataset.auto;
  button.title = name ?? "";
  button.setAttribute("aria-label", name ?? "");
}

function step(button: HTMLElement): void {
  const input = button.parentElement!.querySelector<HTMLInputElement>("input")!;
  if (button.dataset.step === "1") input.stepUp();
  else input.stepDown();
  showBalances(input);
}

// What the parties have after a deal follows the amount; the sum is the last number of the text.
function showBalances(input: HTMLInputElement): void {
  for (const box of input.form?.querySelectorAll<HTMLElement>("output[data-has]") ?? []) {
    const sum = Number(box.dataset.has) + Number(box.dataset.sign) * Number(input.value || 0);
    box.textContent = box.dataset.text!.replace(/0(?=\D*$)/, String(Math.max(0, sum)));
  }
}

// An explanation opens next to its button.
function placeReason(event: Event): void {
  const box = event.target as HTMLElement;
  if (!box.matches(".why-box") || (event as ToggleEvent).newState !== "open") return;
  const button = document.querySelector<HTMLElement>(`[popovertarget="${box.id}"]`);
  if (!button) return;
  const at = button.getBoundingClientRect();
  const width = Math.min(320, innerWidth - 16);
  box.style.width = `${width}px`;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  const below = at.bottom + 6 + box.offsetHeight < innerHeight;
  box.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - box.offsetHeight - 6)}px`;
}

export function startPage(): void {
  document.addEventListener("click", (event) => {
    const target = (event.target as Element).closest<HTMLElement>("[data-theme-switch], [data-step]");
    if (!target) return;
    if (target.hasAttribute("data-theme-switch")) switchTheme(target);
    else step(target);
  });
  document.addEventListener("input", (event) => {
    const input = event.target as HTMLInputElement;
    if (input.matches(".amount input[name=amount]")) showBalances(input);
  });
  document.addEventListener("toggle", placeReason, true);
}
