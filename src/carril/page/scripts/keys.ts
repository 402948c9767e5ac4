// Keyboard shortcuts; `page/hotkeys.py` lists them for the dialog under "?".
import { where } from "./common";
import { go } from "./history";
import { showWhole, zoom } from "./map";
import { isReplaying, skip } from "./pace";
import { openDialog } from "./settings";
import { openTab } from "./tabs";

const VIEWS = [...document.querySelectorAll<HTMLElement>('.board > [role="tablist"] [role="tab"]')];

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

function toNow(): void {
  if (isReplaying()) skip();
  else go(where().head);
}

const KEYS: Record<string, () => void> = {
  l: () => click("#tab-log"),
  c: () => click("#tab-chat"),
  w: () => document.getElementById("news-card")?.focus(),
  ",": () => go(where().at - 1),
  ".": () => go(where().at + 1),
  n: toNow,
  u: () => click('[data-undo="step"]'),
  U: () => click('[data-undo="turn"]'),
  P: () => click('#part-panel button[data-kind="pass"]'),
  "+": () => zoom(1.4),
  "=": () => zoom(1.4),
  "-": () => zoom(1 / 1.4),
  "0": showWhole,
  s: () => openDialog("settings"),
  "?": () => openDialog("keys"),
};

// Keys that are typed into a field, or used by an open dialog, are not shortcuts.
function isTyping(target: Element): boolean {
  const field = target.closest("textarea, select, [contenteditable], dialog[open]");
  const input = target.closest("input");
  return field !== null || (input !== null && !["range", "radio", "checkbox"].includes(input.type));
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target as Element) || document.querySelector("dialog[open]")) return;
  const view = VIEWS[Number(event.key) - 1];
  const act = view ? () => openTab(view) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

export function startKeys(): void {
  document.addEventListener("keydown", onKey);
}
