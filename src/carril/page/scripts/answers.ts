// Responses to requests of htmx: parts of the table, of which only those that changed are replaced.
import { put, revisions } from "./common";

const OUTCOMES = ["htmx:beforeSwap", "htmx:afterRequest", "htmx:sendError", "htmx:timeout", "htmx:responseError"];
const watched = new WeakSet<EventTarget>();

// htmx dispatches the outcome of a request on the element that sent it, or on its target. If a live
// update has replaced that element meanwhile, the event reaches nobody: htmx would then swap the
// parts itself, also those that are empty because they have not changed.
function watchOutcome(event: Event): void {
  const { elt, target } = (event as CustomEvent).detail as { elt: Element; target: Element };
  for (const element of [elt, target]) {
    if (watched.has(element)) continue;
    watched.add(element);
    for (const kind of OUTCOMES) element.addEventListener(kind, passOn);
  }
}

function passOn(event: Event): void {
  const from = event.target as Element;
  if (from !== event.currentTarget || from.isConnected) return;
  document.body.dispatchEvent(new CustomEvent(event.type, { detail: (event as CustomEvent).detail as unknown }));
}

function takeAnswer(event: Event): void {
  const detail = (event as CustomEvent).detail as { xhr: XMLHttpRequest; shouldSwap: boolean };
  if (!detail.xhr.responseText.includes("hx-swap-oob")) return;
  detail.shouldSwap = false;
  put(detail.xhr.responseText);
}

// The response to an action carries only what changed.
function addRevisions(event: Event): void {
  const detail = (event as CustomEvent).detail as { headers: Record<string, string> };
  const shown = revisions();
  if (shown) detail.headers["X-Parts"] = shown;
}

export function startAnswers(): void {
  document.body.addEventListener("htmx:configRequest", addRevisions);
  document.body.addEventListener("htmx:beforeRequest", watchOutcome);
  document.body.addEventListener("htmx:beforeSwap", takeAnswer);
}
