// Helpers that several scripts use.
import htmx from "htmx.org";

export interface Where {
  at: number;
  head: number;
  version: number;
  fork: string;
  now: boolean;
  acts: boolean;
  stage: string;
  turn: string;
  routeBar: boolean;
  later: boolean;
}

export function table(): HTMLElement {
  return document.getElementById("table")!;
}

export function where(): Where {
  const d = document.getElementById("where")?.dataset ?? {};
  return {
    at: Number(d.at),
    head: Number(d.head),
    version: Number(d.version),
    fork: d.fork ?? "",
    now: d.now === "1",
    acts: d.acts === "1",
    stage: d.stage ?? "map",
    turn: d.turn ?? "",
    routeBar: d.routeBar === "1",
    later: d.later === "1",
  };
}

// The current fork and position, as query parameters.
export function query(at?: number, search = false): string {
  const here = where();
  const parts = new URLSearchParams();
  if (here.fork) parts.set("fork", here.fork);
  const number = at ?? (here.now ? undefined : here.at);
  if (number !== undefined) parts.set("at", String(number));
  if (search) parts.set("search", "1");
  const text = parts.toString();
  return text ? `?${text}` : "";
}

let latest = 0;

// Loads and shows the parts of a position; a response that is out of date is dropped.
export async function refresh(at?: number, search = false): Promise<void> {
  const mine = ++latest;
  const answer = await fetch(table().dataset.parts! + query(at, search), { headers: { "HX-Request": "true" } });
  if (!answer.ok || mine !== latest) return;
  put(await answer.text());
}

// Replaces the parts that have changed.
export function put(html: string): void {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (overtaken(fresh)) return;
  for (const part of fresh.querySelectorAll<HTMLElement>("[hx-swap-oob]")) replacePart(part);
  document.body.dispatchEvent(new CustomEvent("carril:parts"));
}

// A late response must not replace a newer table.
function overtaken(fresh: Document): boolean {
  const received = fresh.getElementById("where")?.dataset;
  const here = where();
  return received !== undefined && received.fork === here.fork && Number(received.version) < here.version;
}

function replacePart(part: HTMLElement): void {
  const old = document.getElementById(part.id);
  if (!old || (part.dataset.rev && old.dataset.rev === part.dataset.rev)) return;
  part.removeAttribute("hx-swap-oob");
  const focus = document.activeElement;
  const inside = focus && old.contains(focus) ? focus : null;
  const id = inside?.id;
  const hex = inside?.getAttribute("data-hex");
  const scroll = old.scrollTop;
  old.replaceWith(part);
  part.scrollTop = scroll;
  htmx.process(part);
  if (!inside) return;
  const again = id ? document.getElementById(id) : hex ? part.querySelector<SVGElement>(`[data-hex="${hex}"]`) : null;
  // If nothing can be done now, move the focus to the sentence, not to the top of the page.
  const first = part.querySelector<HTMLElement>("button, input, select, [tabindex]:not(.sentence)");
  (again ?? first ?? part.querySelector<HTMLElement>(".sentence"))?.focus({ preventScroll: true });
}

export function say(message: string, look = ""): void {
  const box = document.getElementById("notice");
  if (!box) return;
  box.className = `notice ${look}`;
  box.textContent = message;
}

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function narrow(): boolean {
  return matchMedia("(max-width: 759px)").matches;
}
