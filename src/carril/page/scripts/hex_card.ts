// The card of a hex: opening and closing it, and choosing, rotating and laying a tile.
import { load, narrow, query, table, where } from "./common";
import { hexAt, layers, onSheet } from "./hex_places";
import { reveal } from "./map";
import { placeCard } from "./ring";

let open = ""; // the hex whose card is open

export function openedHex(): string {
  return open;
}

function card(): HTMLElement {
  return document.getElementById("hexcard")!;
}

// The position that the page shows, as text.
function position(): string {
  const here = where();
  return `${here.fork}/${here.at}/${here.version}`;
}

export async function openHex(id: string): Promise<void> {
  closeHex();
  open = id;
  const asked = position();
  const url = table().dataset.hex! + encodeURIComponent(id) + query();
  const shown = await load(card(), url);
  if (!open) card().replaceChildren(); // closed before it came
  if (!shown || open !== id) return;
  if (asked !== position()) {
    void openHex(id); // somebody has acted meanwhile
    return;
  }
  card().hidden = false;
  card().dataset.open = id;
  if (narrow()) document.getElementById("map-frame")!.scrollIntoView({ block: "start" });
  const hex = hexAt(id);
  if (hex) reveal(onSheet(hex), uncovered());
  place();
  card().querySelector<HTMLElement>(".ring-tile, .hex-box .choice:not(.greyed), .close")?.focus({ preventScroll: true });
  document.body.dispatchEvent(new CustomEvent("carril:hex"));
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
  document.body.dispatchEvent(new CustomEvent("carril:hex"));
  if (inside && was) hexAt(was)?.focus({ preventScroll: true });
}

// Closes the card once it belongs to another position.
export function closeOutdated(): void {
  const stamp = position();
  const box = card();
  if (!box.hidden && box.dataset.open && box.dataset.version !== stamp) closeHex();
  box.dataset.version = stamp;
}

// How much of the map's height the card leaves visible; on wide screens it is placed beside the hex.
function uncovered(): number {
  if (!narrow()) return 1;
  const map = document.getElementById("map")!.getBoundingClientRect();
  const free = card().getBoundingClientRect().top - map.top;
  return Math.max(0.2, Math.min(1, free / map.height));
}

function place(): void {
  const hex = open && hexAt(open);
  if (hex && !card().hidden) placeCard(card(), hex.querySelector("use")!.getBoundingClientRect());
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
  showLay(tile);
}

function turn(tile: HTMLElement, by: number): void {
  const faces = [...tile.querySelectorAll<HTMLElement>(".face")];
  const at = faces.indexOf(face(tile));
  faces[at].hidden = true;
  faces[(at + by + faces.length) % faces.length].hidden = false;
  showLay(tile);
}

// Rotates the tile that is shown on the map; returns whether there is one.
export function turnPicked(by: number): boolean {
  const tile = picked();
  if (tile) turn(tile, by);
  return tile !== null;
}

// Shows the cost and connections of the selected tile, and a preview on the map.
function showLay(tile: HTMLElement): void {
  const side = face(tile);
  const box = card().querySelector<HTMLElement>("[data-lay]")!;
  const tools = card().querySelector<HTMLElement>("[data-lay-tools]")!;
  box.hidden = false;
  tools.hidden = false;
  box.querySelector("[data-lay-cost]")!.textContent = side.dataset.cost ?? "";
  box.querySelector("[data-lay-connects]")!.textContent = side.dataset.connects ?? "";
  box.querySelector("[data-lay-asks]")!.textContent = side.dataset.asks ?? "";
  const button = tools.querySelector<HTMLElement>("[data-lay-tile]")!;
  button.setAttribute("hx-vals", JSON.stringify({ action: side.dataset.action }));
  button.textContent = button.dataset.label!.replace("#", tile.dataset.tile!);
  const turnButton = tools.querySelector<HTMLButtonElement>("[data-turn-tile]")!;
  turnButton.disabled = tile.querySelectorAll(".face").length < 2;
  preview(side);
  place();
}

function preview(side: HTMLElement | null): void {
  document.getElementById("preview")?.remove();
  const drawn = side?.querySelector("template")?.content.querySelector("svg > g");
  if (!drawn || !open) return;
  const copy = drawn.cloneNode(true) as SVGGElement;
  copy.id = "preview";
  for (const part of copy.querySelectorAll("[data-hex]")) part.removeAttribute("data-hex");
  layers().append(copy);
}

function onClick(event: MouseEvent): void {
  const target = event.target as Element;
  const tile = target.closest<HTMLElement>(".ring-tile");
  if (tile) {
    if (tile.getAttribute("aria-checked") === "true") turn(tile, 1);
    else pick(tile);
  } else if (target.closest("[data-turn-tile]")) turn(picked()!, 1);
  else if (target.closest("[data-close-hex]")) closeHex();
}

function onKey(event: KeyboardEvent): void {
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

export function startCard(): void {
  card().addEventListener("click", onClick);
  card().addEventListener("keydown", onKey);
  document.body.addEventListener("carril:moved", place);
  addEventListener("resize", place);
}
