// Tabs by click and arrow keys; views are loaded when first opened.
import { load, query, where } from "./common";

const FOLLOWED = ["tab-map", "tab-market", "tab-trains"];
let step = ""; // the last decision of the user that the views have followed

export function openTab(tab: HTMLElement): void {
  const list = tab.closest('[role="tablist"]')!;
  for (const other of list.querySelectorAll<HTMLElement>('[role="tab"]')) {
    const on = other === tab;
    other.setAttribute("aria-selected", String(on));
    other.tabIndex = on ? 0 : -1;
    const view = document.getElementById(other.getAttribute("aria-controls")!)!;
    view.hidden = !on;
    if (on && view.dataset.load) void loadView(view);
  }
}

const loads = new Map<HTMLElement, Promise<boolean>>();

// Loads a view unless it is up to date; the rules never change. If it fails, a notice says so, and
// the view is loaded when it is next opened.
function loadView(view: HTMLElement): Promise<boolean> {
  const rules = view.id === "view-rules";
  const url = view.dataset.load! + (rules ? "" : query());
  const wanted = rules ? url : url + where().version;
  if (view.dataset.loaded !== wanted) {
    view.dataset.loaded = wanted;
    const loading = load(view, url).then((shown) => {
      if (!shown && view.dataset.loaded === wanted) delete view.dataset.loaded;
      return shown;
    });
    loads.set(view, loading);
  }
  return loads.get(view) ?? Promise.resolve(true);
}

// Opens a rule in the view of the rules.
async function openRule(link: HTMLAnchorElement): Promise<void> {
  link.closest<HTMLElement>("[popover]")?.hidePopover();
  const view = document.getElementById("view-rules")!;
  openTab(document.getElementById("tab-rules")!);
  await loadView(view);
  for (const other of view.querySelectorAll(".marked")) other.classList.remove("marked");
  const rule = view.querySelector<HTMLElement>(new URL(link.href).hash);
  if (!rule) return;
  rule.classList.add("marked");
  rule.tabIndex = -1;
  rule.scrollIntoView({ block: "center" });
  rule.focus({ preventScroll: true });
}

// When a new decision of the user begins, opens the view it needs; never for others or in the past.
function follow(): void {
  const here = where();
  const due = `${here.fork}/${here.turn}/${document.getElementById("moment")?.dataset.step}`;
  if (here.acts && due !== step) {
    step = due;
    const tab = document.getElementById(`tab-${here.stage}`);
    const open = document.querySelector('.board [role="tab"][aria-selected="true"]');
    if (tab && open && FOLLOWED.includes(open.id)) openTab(tab);
  }
  reload();
}

function reload(): void {
  const lazy = document.querySelector<HTMLElement>(".view.lazy:not([hidden])");
  if (lazy) void loadView(lazy);
}

function onKey(event: KeyboardEvent): void {
  const tab = (event.target as Element).closest<HTMLElement>('[role="tab"]');
  if (!tab || !["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  const tabs = [...tab.parentElement!.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.indexOf(tab);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key]!;
  const next = tabs[(to + tabs.length) % tabs.length];
  event.preventDefault();
  openTab(next);
  next.focus();
}

export function startTabs(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const tab = target.closest<HTMLElement>('[role="tab"]');
    if (tab) openTab(tab);
    const jump = target.closest<HTMLElement>("[data-view]");
    if (jump) openTab(document.getElementById(`tab-${jump.dataset.view}`)!);
    const rule = target.closest<HTMLAnchorElement>("a.rule-link");
    if (rule && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      void openRule(rule);
    }
  });
  document.addEventListener("keydown", onKey);
  document.body.addEventListener("carril:parts", follow);
  follow();
}
