// Hexes: selection by pointer, arrow keys and lists.
import { chooseCity } from "./cities";
import { where } from "./common";
import { closeHex, closeOutdated, openedHex, openHex, startCard, turnPicked } from "./hex_card";
import { hexAt, local, onSheet } from "./hex_places";
import { inMap, reveal, wasDragged, zoom } from "./map";
import { addStopAt } from "./own_run";

let focused = ""; // the hex with the keyboard focus

function all(): SVGGElement[] {
  return [...document.querySelectorAll<SVGGElement>("#map .ground [data-hex]")];
}

function nearest(point: DOMPoint): SVGGElement | null {
  let best: SVGGElement | null = null;
  let least = 110;
  for (const hex of all()) {
    const at = onSheet(hex);
    const far = Math.hypot(at.x - point.x, at.y - point.y);
    if (far < least) [best, least] = [hex, far];
  }
  return best;
}

function focusHex(hex: SVGGElement): void {
  for (const other of all()) other.setAttribute("tabindex", other === hex ? "0" : "-1");
  focused = hex.dataset.hex!;
  hex.focus({ preventScroll: true });
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

// The next hex in a direction: close, and near the line.
function next(from: SVGGElement, way: [number, number]): SVGGElement | null {
  const here = local(from);
  let best: SVGGElement | null = null;
  let least = Infinity;
  for (const hex of all()) {
    const at = local(hex);
    const [dx, dy] = [at.x - here.x, at.y - here.y];
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (ahead < 20 || aside > ahead * 1.2) continue;
    const cost = ahead + aside * 1.5;
    if (cost < least) [best, least] = [hex, cost];
  }
  return best;
}

function onMapClick(event: MouseEvent): void {
  // The card may have removed what was clicked, so ask for the path of the event.
  const path = event.composedPath() as Element[];
  if (wasDragged() || path.some((part) => part.classList?.contains("hexcard") || part.classList?.contains("map-tools"))) return;
  const target = event.target as Element;
  const hex = nearest(inMap(event.clientX, event.clientY));
  if (!hex) {
    closeHex();
    return;
  }
  focusHex(hex);
  choose(hex.dataset.hex!, target, event.shiftKey ? -1 : 1);
}

function choose(id: string, target?: Element, by = 1): void {
  if (where().routeBar && addStopAt(id, target)) return;
  if (openedHex() === id) {
    if (!turnPicked(by)) closeHex();
  } else if (!target || !chooseCity(target)) void openHex(id);
}

function onMapKey(event: KeyboardEvent): void {
  const hex = (event.target as Element).closest<SVGGElement>("#map [data-hex]");
  if (!hex) return;
  const way = ARROWS[event.key];
  if (way) {
    const to = next(hex, way);
    if (to) {
      focusHex(to);
      reveal(onSheet(to));
    }
  } else if (event.key === "Enter" || event.key === " ") choose(hex.dataset.hex!);
  else if (event.key === "+" || event.key === "=") zoom(1.4);
  else if (event.key === "-") zoom(1 / 1.4);
  else if (event.key === "Escape") closeHex();
  else return;
  event.preventDefault();
}

// The Tab key reaches one hex: the last one used, or the first that is highlighted.
function prepare(): void {
  const lit = document.querySelector<SVGElement>("#map [data-highlight]")?.dataset.highlight;
  const hex = (focused && hexAt(focused)) || (lit && hexAt(lit)) || all()[0];
  if (hex && !document.querySelector('#map .ground [data-hex][tabindex="0"]')) hex.setAttribute("tabindex", "0");
  for (const light of document.querySelectorAll<SVGElement>("#map [data-highlight]")) {
    hexAt(light.dataset.highlight!)?.classList.add("can");
  }
  closeOutdated();
}

export function startHexes(): void {
  const frame = document.getElementById("map-frame")!;
  frame.addEventListener("click", onMapClick);
  frame.addEventListener("keydown", onMapKey);
  startCard();
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-open-hex]");
    if (!button) return;
    document.getElementById("tab-map")!.click();
    void openHex(button.dataset.openHex!);
  });
  document.body.addEventListener("carril:parts", prepare);
  prepare();
}
