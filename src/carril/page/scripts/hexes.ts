// Hexes: selection by pointer and arrow keys, the hex card, and rotating and laying tiles.
import htmx from "htmx.org";
import { narrow, query, table, where } from "./common";
import { inMap, reveal, svg, wasDragged, zoom } from "./map";
import { addStopAt } from "./own_run";

let focused = ""; // the hex with the keyboard focus
let open = ""; // the hex whose card is open

function all(): SVGGElement[] {
  return [...document.querySelectorAll<SVGGElement>("#map .ground [data-hex]")];
}

export function hexAt(id: string): SVGGElement | null {
  return document.querySelector(`#map .ground [data-hex="${id}"]`);
}

// The centre of a hex in map units.
export function middle(hex: SVGGElement): DOMPoint {
  const shape = hex.querySelector("use")!;
  const own = new DOMPoint(Number(shape.getAttribute("x")), Number(shape.getAttribute("y")));
  return own.matrixTransform(hex.getCTM()!).matrixTransform(svg()!.getCTM()!.inverse());
}

function local(hex: SVGGElement): DOMPoint {
  const shape = hex.querySelector("use")!;
  return new DOMPoint(Number(shape.getAttribute("x")), Number(shape.getAttribute("y")));
}

function nearest(point: DOMPoint): SVGGElement | null {
  let best: SVGGElement | null = null;
  let least = 110;
  const origin = middleOffset();
  for (const hex of all()) {
    const at = local(hex);
    const far = Math.hypot(at.x + origin.x - point.x, at.y + origin.y - point.y);
    if (far < least) [best, least] = [hex, far];
  }
  return best;
}

// The position of hex A0 on the sheet.
export function middleOffset(): DOMPoint {
  const group = document.querySelector<SVGGElement>("#map .ground")!.parentElement as unknown as SVGGElement;
  const matrix = group.transform.baseVal.consolidate()?.matrix;
  return new DOMPoint(matrix?.e ?? 0, matrix?.f ?? 0);
}

function focusHex(hex: SVGGElement): void {
  for (const other of all()) other.setAttribute("tabindex", other === hex ? "0" : "-1");
  focused = hex.dataset.hex!;
  hex.focus({ preventScroll: true });
  const at = local(hex);
  const origin = middleOffset();
  reveal(new DOMPoint(at.x + origin.x, at.y + origin.y));
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

export function openHex(id: string): void {
  closeHex();
  open = id;
  const url = table().dataset.hex! + encodeURIComponent(id) + query();
  void htmx.ajax("get", url, { target: "#hexcard", swap: "innerHTML" }).then(() => {
    if (open !== id) return;
    card().hidden = false;
    card().dataset.open = id;
    place();
    card().querySelector<HTMLElement>(".ring-tile, .hex-box .choice:not(.greyed), .close")?.focus({ preventScroll: true });
    if (narrow()) document.getElementById("map-frame")!.scrollIntoView({ block: "start" });
  }, () => undefined); // if it fails, a notice says so
}

export function closeHex(): void {
  const was = open;
  open = "";
  const box = document.getElementById("hexcard");
  if (!box || box.hidden) return;
  const inside = box.contains(document.activeElement);
  box.hidden = true;
  box.replaceChildren();
  delete box.dataset.open;
  preview(null);
  if (inside && was) hexAt(was)?.focus({ preventScroll: true });
}

function card(): HTMLElement {
  return document.getElementById("hexcard")!;
}

// Arranges the tiles around the hex and the card next to it; on narrow screens CSS does this.
function place(): void {
  const box = card();
  const hex = open && hexAt(open);
  if (!hex || box.hidden) return;
  const ring = [...box.querySelectorAll<HTMLElement>(".ring-tile")];
  const body = box.querySelector<HTMLElement>(".hex-box")!;
  if (narrow()) {
    for (const one of [...ring, body]) one.removeAttribute("style");
    return;
  }
  const frame = box.parentElement!.getBoundingClientRect();
  const shape = hex.querySelector("use")!.getBoundingClientRect();
  const x = shape.left + shape.width / 2 - frame.left;
  const y = shape.top + shape.height / 2 - frame.top;
  const radius = Math.max(shape.width / 2 + 46, (ring.length * 74) / (2 * Math.PI), 84);
  ring.forEach((tile, index) => {
    const angle = (index / ring.length) * 2 * Math.PI - Math.PI / 2;
    const left = x + radius * Math.cos(angle);
    const top = y + radius * Math.sin(angle);
    tile.style.left = `${Math.max(36, Math.min(frame.width - 36, left))}px`;
    tile.style.top = `${Math.max(36, Math.min(frame.height - 36, top))}px`;
  });
  const reach = ring.length ? radius + 50 : shape.width / 2 + 12;
  const right = x + reach + body.offsetWidth < frame.width;
  body.style.left = `${right ? x + reach : Math.max(4, x - reach - body.offsetWidth)}px`;
  body.style.top = `${Math.max(4, Math.min(frame.height - body.offsetHeight - 4, y - body.offsetHeight / 2))}px`;
}

// --- tiles ------------------------------------------------------------------------------------

function picked(): HTMLElement | null {
  return card().querySelector<HTMLElement>('.ring-tile[aria-checked="true"]');
}

function face(tile: HTMLElement): HTMLElement {
  return tile.querySelector<HTMLElement>(".face:not([hidden])")!;
}

function pick(tile: HTMLElement): void {
  for (const other of card().querySelectorAll(".ring-tile")) {
    other.setAttribute("aria-checked", String(other === tile));
  }
  tell(tile);
}

function turn(tile: HTMLElement, by: number): void {
  const faces = [...tile.querySelectorAll<HTMLElement>(".face")];
  const at = faces.indexOf(face(tile));
  faces[at].hidden = true;
  faces[(at + by + faces.length) % faces.length].hidden = false;
  tell(tile);
}

// Shows the cost and connections of the selected tile, and a preview on the map.
function tell(tile: HTMLElement): void {
  const side = face(tile);
  const box = card().querySelector<HTMLElement>("[data-lay]")!;
  box.hidden = false;
  box.querySelector("[data-lay-cost]")!.textContent = side.dataset.cost ?? "";
  box.querySelector("[data-lay-connects]")!.textContent = side.dataset.connects ?? "";
  box.querySelector("[data-lay-asks]")!.textContent = side.dataset.asks ?? "";
  const button = box.querySelector<HTMLElement>("[data-lay-tile]")!;
  button.setAttribute("hx-vals", JSON.stringify({ action: side.dataset.action }));
  button.textContent = button.dataset.label!.replace("#", tile.dataset.tile!);
  const turnButton = box.querySelector<HTMLButtonElement>("[data-turn-tile]")!;
  turnButton.disabled = tile.querySelectorAll(".face").length < 2;
  preview(side);
  place();
}

function preview(side: HTMLElement | null): void {
  document.getElementById("preview")?.remove();
  const hex = side && open && hexAt(open);
  const drawn = side?.querySelector("svg > g");
  if (!hex || !drawn) return;
  const at = local(hex);
  const copy = drawn.cloneNode(true) as SVGGElement;
  copy.id = "preview";
  copy.setAttribute("transform", `translate(${at.x} ${at.y})`);
  document.querySelector("#map .ground")!.parentElement!.append(copy);
}

function onCardClick(event: MouseEvent): void {
  const target = event.target as Element;
  const tile = target.closest<HTMLElement>(".ring-tile");
  if (tile) {
    if (tile.getAttribute("aria-checked") === "true") turn(tile, 1);
    else pick(tile);
  } else if (target.closest("[data-turn-tile]")) turn(picked()!, 1);
  else if (target.closest("[data-close-hex]")) closeHex();
}

function onCardKey(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    closeHex();
    event.preventDefault();
    return;
  }
  const on = (event.target as Element).closest<HTMLElement>(".ring-tile");
  const tile = picked();
  if (on && ["ArrowRight", "ArrowLeft"].includes(event.key) && on !== tile) {
    stepTile(on, event.key === "ArrowRight" ? 1 : -1);
    event.preventDefault();
  } else if (tile && (event.key === "r" || event.key === "R" || event.key === "ArrowRight")) {
    turn(tile, event.shiftKey ? -1 : 1);
    event.preventDefault();
  } else if (tile && event.key === "ArrowLeft") {
    turn(tile, -1);
    event.preventDefault();
  } else if (on && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    stepTile(on, event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
  } else if (on && event.key === "Enter" && on === tile) {
    card().querySelector<HTMLElement>("[data-lay-tile]")!.click();
    event.preventDefault();
  }
}

function stepTile(from: HTMLElement, by: number): void {
  const tiles = [...card().querySelectorAll<HTMLElement>(".ring-tile")];
  const to = tiles[(tiles.indexOf(from) + by + tiles.length) % tiles.length];
  to.focus();
  pick(to);
}

// --- the map ----------------------------------------------------------------------------------

function onMapClick(event: MouseEvent): void {
  if (wasDragged() || (event.target as Element).closest(".hexcard, .map-tools")) return;
  const point = inMap(event.clientX, event.clientY);
  const hex = nearest(point);
  if (!hex) {
    closeHex();
    return;
  }
  focusHex(hex);
  choose(hex.dataset.hex!, event.target as Element);
}

function choose(id: string, target?: Element): void {
  if (where().routeBar && addStopAt(id, target)) return;
  if (open === id) closeHex();
  else openHex(id);
}

function onMapKey(event: KeyboardEvent): void {
  const hex = (event.target as Element).closest<SVGGElement>("#map [data-hex]");
  if (!hex) return;
  const way = ARROWS[event.key];
  if (way) {
    const to = next(hex, way);
    if (to) focusHex(to);
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
  const box = document.getElementById("hexcard");
  if (box && !box.hidden && box.dataset.open && box.dataset.version !== stamp()) closeHex();
  if (box) box.dataset.version = stamp();
}

function stamp(): string {
  const here = where();
  return `${here.fork}/${here.at}/${here.version}`;
}

export function startHexes(): void {
  const frame = document.getElementById("map-frame")!;
  frame.addEventListener("click", onMapClick);
  frame.addEventListener("keydown", onMapKey);
  const box = document.getElementById("hexcard")!;
  box.addEventListener("click", onCardClick);
  box.addEventListener("keydown", onCardKey);
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-open-hex]");
    if (!button) return;
    document.getElementById("tab-map")!.click();
    openHex(button.dataset.openHex!);
  });
  document.body.addEventListener("carril:parts", prepare);
  document.body.addEventListener("carril:moved", place);
  addEventListener("resize", place);
  prepare();
}
