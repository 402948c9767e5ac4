// History: slider, arrows and links to positions, without reloading the page.
import { type Put, refresh, where } from "./common";

export function go(to: number, keep = true): void {
  document.body.dispatchEvent(new CustomEvent("carril:go"));
  const here = where();
  const at = Math.max(0, Math.min(to, here.head));
  const url = new URL(location.href);
  if (at === here.head) url.searchParams.delete("at");
  else url.searchParams.set("at", String(at));
  if (keep) window.history.pushState({}, "", url);
  else window.history.replaceState({}, "", url);
  if (at === here.head) latest();
  else void refresh(at);
}

// `refresh` without a position keeps an earlier one, so ask for the latest explicitly.
export function latest(): void {
  document.getElementById("where")!.dataset.now = "1";
  void refresh();
}

// Results of a search are loaded after the position, unless the user has moved on. The server
// sends them itself after parts that it has sent.
function searchLater(event?: Event): void {
  const here = where();
  if (here.later && !(event as CustomEvent<Put> | undefined)?.detail.pushed) void refresh(here.now ? undefined : here.at, true);
}

let waiting = 0;

export function startHistory(): void {
  document.addEventListener("click", (event) => {
    const target = (event.target as Element).closest<HTMLElement>("[data-go]");
    if (!target || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(Number(target.dataset.go));
  });
  document.addEventListener("input", (event) => {
    const slider = event.target as HTMLInputElement;
    if (slider.id !== "slider") return;
    slider.parentElement!.querySelector("output")!.textContent = `${slider.value}/${slider.max}`;
    clearTimeout(waiting);
    waiting = window.setTimeout(() => go(Number(slider.value), false), 60);
  });
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || (event.key !== "," && event.key !== ".")) return;
    event.preventDefault();
    go(where().at + (event.key === "." ? 1 : -1));
  });
  document.body.addEventListener("carril:parts", searchLater);
  searchLater();
  addEventListener("popstate", () => {
    const at = new URL(location.href).searchParams.get("at");
    if (at === null) latest();
    else void refresh(Number(at));
  });
}
