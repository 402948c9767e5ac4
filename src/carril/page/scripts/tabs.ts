// Tabs by click and arrow keys; views are loaded when first opened.
import htmx from "htmx.org";
import { query, where } from "./common";

let chosen = ""; // the step in which the user chose a view
let stage = "";

export function openTab(tab: HTMLElement): void {
  const list = tab.closest('[role="tablist"]')!;
  for (const other of list.querySelectorAll<HTMLElement>('[role="tab"]')) {
    const on = other === tab;
    other.setAttribute("aria-selected", String(on));
    other.tabIndex = on ? 0 : -1;
    const view = document.getElementById(other.getAttribute("aria-controls")!)!;
    view.hidden = !on;
    if (on && view.dataset.load) load(view);
  }
}

function load(view: HTMLElement): void {
  const url = view.dataset.load! + query();
  if (view.dataset.loaded === url + where().version) return;
  view.dataset.loaded = url + where().version;
  // If it fails, a notice says so, and the view is loaded when it is next opened.
  void htmx.ajax("get", url, { target: view, swap: "innerHTML" }).catch(() => undefined);
}

function follow(): void {
  const here = where();
  const step = `${here.turn}/${here.stage}`;
  if (step !== stage) {
    if (here.stage !== stage.split("/")[1] && chosen !== step) {
      const tab = document.getElementById(`tab-${here.stage}`);
      const open = document.querySelector('.board [role="tab"][aria-selected="true"]');
      const followed = open && ["tab-map", "tab-market", "tab-trains"].includes(open.id);
      if (tab && followed) openTab(tab);
    }
    stage = step;
  }
  const lazy = document.querySelector<HTMLElement>(".view.lazy:not([hidden])");
  if (lazy && lazy.id !== "view-rules") load(lazy);
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
    if (tab) {
      openTab(tab);
      chosen = stage;
    }
    const jump = target.closest<HTMLElement>("[data-view]");
    if (jump) openTab(document.getElementById(`tab-${jump.dataset.view}`)!);
    const rule = target.closest<HTMLAnchorElement>("a.rule-link");
    if (rule && !(event as MouseEvent).ctrlKey) rule.target = "carril-rules";
  });
  document.addEventListener("keydown", onKey);
  document.body.addEventListener("carril:parts", follow);
  follow();
}
