// Which part of the map is shown: where something can be done, a named area, or what the user chose.
import { narrow, table } from "./common";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

// "auto" follows what can be done; an area without a name is the whole map.
type View = { mode: "auto"; last?: Box } | { mode: "area"; area: string } | { mode: "free"; box: Box };

const ROOM = 260; // map units around highlighted hexes
const NAME = 22; // the size of place names in map units
const LEGIBLE = 6; // pixels of a place name below which the whole map is not shown by itself

function key(): string {
  return `carril-map-${table().dataset.game}`;
}

function view(): View {
  try {
    return (JSON.parse(localStorage.getItem(key()) ?? "null") as View | null) ?? { mode: "auto" };
  } catch {
    return { mode: "auto" };
  }
}

// Remembers the view in this browser.
export function keep(next: View): void {
  localStorage.setItem(key(), JSON.stringify(next));
}

// A place outside the chosen area was opened: the view stays there.
export function leaveArea(box: Box): void {
  if (view().mode !== "auto") keep({ mode: "free", box });
}

function areas(): Map<string, Box> {
  const found = new Map<string, Box>();
  for (const button of document.querySelectorAll<HTMLElement>("[data-area][data-box]")) {
    const [x, y, w, h] = button.dataset.box!.split(" ").map(Number);
    found.set(button.dataset.area!, { x, y, w, h });
  }
  return found;
}

// The middles of the highlighted hexes, in map units.
function lights(): DOMPoint[] {
  const picture = document.querySelector<SVGSVGElement>("#map > svg")!;
  const back = picture.getScreenCTM()!.inverse();
  return [...document.querySelectorAll<SVGGraphicsElement>("#map [data-highlight]")].map((light) => {
    const at = light.getBoundingClientRect();
    return new DOMPoint(at.left + at.width / 2, at.top + at.height / 2).matrixTransform(back);
  });
}

function contains(box: Box, point: DOMPoint): boolean {
  return point.x >= box.x && point.x <= box.x + box.w && point.y >= box.y && point.y <= box.y + box.h;
}

function around(points: DOMPoint[], whole: Box): Box {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const ratio = whole.w / whole.h;
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [right, bottom] = [Math.max(...xs), Math.max(...ys)];
  const w = Math.max(whole.w * 0.45, right - left + ROOM, (bottom - top + ROOM) * ratio);
  const h = w / ratio;
  return w > whole.w * 0.9 ? whole : { x: (left + right - w) / 2, y: (top + bottom - h) / 2, w, h };
}

// The whole map if its names can be read; else the area in which something can be done, or its part.
function fitted(whole: Box, frame: HTMLElement, last?: Box): Box {
  if (!narrow() && legible(whole, frame)) return whole;
  const points = lights();
  if (!points.length) return narrow() ? whole : (last ?? [...areas().values()][0] ?? whole);
  if (narrow()) return around(points, whole);
  const area = [...areas().values()].find((box) => points.every((point) => contains(box, point)));
  const box = area ?? around(points, whole);
  return legible(box, frame) ? box : (busiest(points) ?? box);
}

function legible(box: Box, frame: HTMLElement): boolean {
  return Math.min(frame.clientWidth / box.w, frame.clientHeight / box.h) * NAME >= LEGIBLE;
}

// The area with the most highlighted hexes.
function busiest(points: DOMPoint[]): Box | undefined {
  const within = (box: Box) => points.filter((point) => contains(box, point)).length;
  return [...areas().values()].sort((one, other) => within(other) - within(one))[0];
}

// Marks the buttons of the areas where something can be done: the other one may be out of view.
function markAreas(): void {
  const points = lights();
  const boxes = areas();
  for (const button of document.querySelectorAll<HTMLElement>("[data-area][data-box]"))
    button.classList.toggle("lit", points.some((point) => contains(boxes.get(button.dataset.area!)!, point)));
}

// The box of the current view; null is the whole map.
export function chosenBox(whole: Box, frame: HTMLElement): Box | null {
  const now = view();
  if (now.mode === "free") return now.box;
  if (now.mode === "area") return areas().get(now.area) ?? null;
  const box = fitted(whole, frame, now.last);
  if (areas().size) keep({ mode: "auto", last: box });
  return box;
}

// Marks the button of the current view.
export function showTools(): void {
  const now = view();
  for (const button of document.querySelectorAll<HTMLElement>(".map-tools [aria-pressed]")) {
    const on = button.dataset.map === "auto" ? now.mode === "auto" : now.mode === "area" && now.area === (button.dataset.area ?? "");
    button.setAttribute("aria-pressed", String(on));
  }
  markAreas();
}
