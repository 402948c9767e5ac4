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

// The revisions of the parts on the page; the response leaves out what has not changed.
export function revisions(): string {
  const parts = document.querySelectorAll<HTMLElement>(".part[data-rev]");
  return Array.from(parts, (part) => `${part.id.replace("part-", "")}=${part.dataset.rev}`).join(",");
}

// Loads and shows the parts of a position; a response that is out of date is dropped.
export async function refresh(at?: number, search = false, whole = false): Promise<void> {
  const mine = ++latest;
  const headers = { "HX-Request": "true", ...(whole ? {} : { "X-Parts": revisions() }) };
  const answer = await fetch(table().dataset.parts! + query(at, search), { headers });
  if (!answer.ok || mine !== latest) return;
  put(await answer.text());
}

const asked = new WeakMap<HTMLElement, number>();

// Loads a fragment into an element; of several requests for one element, the last one counts.
// Returns whether the element shows the response; if it fails, a notice says so.
export async function load(target: HTMLElement, url: string): Promise<boolean> {
  const mine = (asked.get(target) ?? 0) + 1;
  asked.set(target, mine);
  try {
    const answer = await fetch(url, { headers: { "HX-Request": "true" } });
    const html = await answer.text();
    if (asked.get(target) !== mine || !target.isConnected) return false;
    if (html.includes("hx-swap-oob")) put(html);
    else if (answer.ok) show(target, html);
    else say(document.body.dataset.failed!, "bad");
    return answer.ok;
  } catch {
    if (asked.get(target) === mine) say(document.body.dataset.failed!, "bad");
    return false;
  }
}

// Shows a fragment; the control with the focus keeps it if the fragment has one with the same id.
function show(target: HTMLElement, html: string): void {
  const focus = target.contains(document.activeElement) ? document.activeElement!.id : "";
  target.innerHTML = html;
  htmx.process(target);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  document.body.dispatchEvent(new CustomEvent("carril:loaded"));
}

// What listeners to `carril:parts` get: whether the server sent the parts without being asked.
export interface Put {
  pushed: boolean;
}

// Replaces the parts that have changed.
export function put(html: string, pushed = false): void {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (overtaken(fresh)) return;
  const used = document.activeElement !== document.body;
  const parts = Array.from(fresh.querySelectorAll<HTMLElement>("[hx-swap-oob]"));
  for (const part of parts) replacePart(part);
  if (parts.some(isMissing)) void refresh(undefined, false, true);
  document.body.dispatchEvent(new CustomEvent<Put>("carril:parts", { detail: { pushed } }));
  if (used && focusIsLost()) document.getElementById("sentence")?.focus({ preventScroll: true });
}

// Whether the element with the focus has gone, or is in a view that was closed.
function focusIsLost(): boolean {
  const now = document.activeElement;
  return !now || now === document.body || now.closest("[hidden]") !== null;
}

// A late response must not replace a newer table.
function overtaken(fresh: Document): boolean {
  const received = fresh.getElementById("where")?.dataset;
  const here = where();
  return received !== undefined && received.fork === here.fork && Number(received.version) < here.version;
}

// Whether a part was left out that the page no longer shows, since another response came between.
function isMissing(part: HTMLElement): boolean {
  const old = document.getElementById(part.id);
  return part.dataset.same !== undefined && old !== null && old.dataset.rev !== part.dataset.rev;
}

function replacePart(part: HTMLElement): void {
  const old = document.getElementById(part.id);
  if (!old || part.dataset.same !== undefined || (part.dataset.rev && old.dataset.rev === part.dataset.rev)) return;
  part.removeAttribute("hx-swap-oob");
  const focus = document.activeElement;
  const same = focus && old.contains(focus) ? sameControl(focus, old) : "";
  const scroll = old.scrollTop;
  old.replaceWith(part);
  part.scrollTop = scroll;
  htmx.process(part);
  if (same) part.querySelector<HTMLElement>(same)?.focus({ preventScroll: true });
}

const NAMES = ["id", "data-hex", "data-undo", "data-key", "data-go", "data-open-dialog"];

// A selector for the control with the focus in the part that replaces its own. In the panel other
// choices follow, so there the focus goes to the sentence: pressing Enter twice must not act twice.
function sameControl(focus: Element, old: HTMLElement): string {
  if (old.id === "part-panel") return ".sentence";
  const name = NAMES.find((one) => focus.getAttribute(one));
  return name ? `[${name}="${CSS.escape(focus.getAttribute(name)!)}"]` : "";
}

const NEWS_TIME = 8000;
let fading = 0;

// Shows a notice; one that is no warning goes away by itself.
export function say(message: string, look = ""): void {
  const box = document.getElementById("notice");
  if (!box) return;
  box.className = `notice ${look}`;
  box.textContent = message;
  clearTimeout(fading);
  if (message && !look) fading = window.setTimeout(() => say(""), NEWS_TIME);
}

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function narrow(): boolean {
  return matchMedia("(max-width: 759px)").matches;
}
