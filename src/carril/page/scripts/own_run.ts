// A run that the player draws by clicking stops on the map.
import { load, table, where } from "./common";

let lines: string[][] = [];
let stamp = "";
let filled: HTMLElement | null = null; // the element that shows the drawn run
// Tolls that the player has ticked or unticked.
let tolls: Record<string, boolean> = {};

function trains(): string[] {
  return JSON.parse(document.getElementById("own")?.dataset.trains ?? "[]") as string[];
}

function current(): number {
  return Number(document.querySelector<HTMLInputElement>('input[name="own-train"]:checked')?.value ?? 0);
}

// Adds the stop of a hex to the route of the selected train, or removes it if it is the last.
export function addStopAt(hex: string, target?: Element): boolean {
  const named = target?.closest<SVGElement>("[data-stop]")?.dataset.stop;
  const stops = [...document.querySelectorAll<SVGElement>(`#map [data-stop^="${hex}."]`)].map((s) => s.dataset.stop!);
  const key = named?.startsWith(`${hex}.`) ? named : stops[0];
  if (!key) return false;
  add(key);
  return true;
}

function add(key: string): void {
  const line = (lines[current()] ??= []);
  if (line.at(-1) === key) line.pop();
  else line.push(key);
  void send();
}

async function send(): Promise<void> {
  const box = document.getElementById("own-result");
  if (!box) return;
  filled = box;
  const routes = trains().map((train, index) => ({ train, stops: lines[index] ?? [] }));
  const cards = [...document.querySelectorAll<HTMLSelectElement>('[data-own="card"]')].map((list) => list.value);
  const parts = new URLSearchParams({ run: JSON.stringify({ routes, cards, tolls }) });
  if (where().fork) parts.set("fork", where().fork);
  if (await load(box, `${table().dataset.run}?${parts}`)) draw();
}

// Shows the drawn run on the map in place of the suggested one.
function draw(): void {
  document.getElementById("trial")?.remove();
  const source = document.getElementById("trial-source");
  const routes = document.querySelector<SVGGElement>("#map .routes");
  const any = lines.some((line) => line.length > 0);
  routes?.parentElement?.classList.toggle("set-aside", any);
  mark();
  showSum(any);
  if (!source?.childElementCount) return;
  const trial = source.cloneNode(true) as SVGGElement;
  trial.id = "trial";
  trial.setAttribute("class", "over");
  document.querySelector("#map .stops")!.before(trial);
}

let suggested: Node[] | null = null;

// The legend of the map shows what the drawn run is worth and why it is refused.
function showSum(any: boolean): void {
  const legend = document.getElementById("map-legend");
  if (!legend) return;
  suggested ??= [...legend.childNodes];
  const sum = document.querySelector<HTMLTemplateElement>("[data-own-legend]");
  legend.replaceChildren(...(any ? (sum ? [...sum.content.cloneNode(true).childNodes] : []) : suggested));
}

function mark(): void {
  const on = new Set(lines.flat());
  for (const stop of document.querySelectorAll<SVGElement>("#map [data-stop]")) {
    stop.classList.toggle("picked", on.has(stop.dataset.stop!));
  }
}

// Another position begins without a drawn run; a new panel of the same position shows it again.
function prepare(): void {
  const now = `${where().fork}/${where().version}/${where().routeBar}`;
  if (now !== stamp) {
    stamp = now;
    lines = [];
    tolls = {};
  } else if (document.getElementById("own-result") === filled) return;
  suggested = null;
  if (where().routeBar) void send();
}

export function startOwnRun(): void {
  document.addEventListener("click", (event) => {
    if (!(event.target as Element).closest('[data-own="clear"]')) return;
    lines = [];
    tolls = {};
    void send();
  });
  document.addEventListener("change", (event) => {
    const list = event.target as HTMLSelectElement;
    if (list.matches('[data-own="add"]') && list.value) add(list.value);
    if (list.matches('[data-own="card"]')) void send();
    const box = event.target as HTMLInputElement;
    if (box.matches('[data-own="toll"]')) {
      tolls[box.value] = box.checked;
      void send();
    }
  });
  document.body.addEventListener("carril:parts", prepare);
  prepare();
}
