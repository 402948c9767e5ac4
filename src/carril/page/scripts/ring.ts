// The layout of a hex card: tiles in a ring, buttons under the hex, the text where there is room.
import { narrow } from "./common";

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

const GAP = 4;
const TOOLS = { w: 190, h: 44 }; // room for the buttons, which appear with the first choice

function overlap(a: Rect, b: Rect): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}

function inside(a: Rect, frame: Rect): boolean {
  return a.x >= GAP && a.y >= GAP && a.x + a.w <= frame.w - GAP && a.y + a.h <= frame.h - GAP;
}

function centred(x: number, y: number, w: number, h: number): Rect {
  return { x: x - w / 2, y: y - h / 2, w, h };
}

function free(rect: Rect, frame: Rect, taken: Rect[]): boolean {
  return inside(rect, frame) && taken.every((other) => !overlap(rect, other));
}

// Tiles on an arc around the hex, as close as they fit, or null.
function arc(count: number, size: Rect, hex: Rect, frame: Rect, taken: Rect[]): Rect[] | null {
  const [x, y] = [hex.x + hex.w / 2, hex.y + hex.h / 2];
  const apart = Math.hypot(size.w, size.h) + GAP;
  const nearest = Math.max(hex.w, hex.h) / 2 + size.h / 2 + GAP;
  for (let radius = nearest; radius < nearest + 240; radius += 8) {
    const least = 2 * Math.asin(Math.min(1, apart / 2 / radius));
    if (least * count > 2 * Math.PI + 1e-6) continue;
    const step = Math.max(least, Math.min((2 * Math.PI) / count, Math.PI / 3));
    for (const middle of [-90, 0, 180, -45, -135, 45, 135, 90]) {
      const start = (middle * Math.PI) / 180 - (step * (count - 1)) / 2;
      const found = Array.from({ length: count }, (_, i) =>
        centred(x + radius * Math.cos(start + i * step), y + radius * Math.sin(start + i * step), size.w, size.h),
      );
      if (found.every((tile) => free(tile, frame, taken))) return found;
    }
  }
  return null;
}

// Tiles in rows, the places nearest to the hex first.
function rows(count: number, size: Rect, hex: Rect, frame: Rect, taken: Rect[]): Rect[] {
  const cells: Rect[] = [];
  for (let y = GAP; y + size.h <= frame.h - GAP; y += size.h + GAP) {
    for (let x = GAP; x + size.w <= frame.w - GAP; x += size.w + GAP) cells.push({ x, y, w: size.w, h: size.h });
  }
  const far = (cell: Rect): number => Math.hypot(cell.x + cell.w / 2 - hex.x - hex.w / 2, cell.y + cell.h / 2 - hex.y - hex.h / 2);
  const open = cells.filter((cell) => taken.every((other) => !overlap(cell, other)));
  return open.sort((a, b) => far(a) - far(b)).slice(0, count);
}

// The place for the text that covers least, and of those the nearest.
function roomFor(w: number, h: number, hex: Rect, frame: Rect, taken: Rect[]): Rect {
  const middle = hex.y + hex.h / 2 - h / 2;
  const edges = taken.flatMap((one) => [one.x + one.w + 2 * GAP, one.x - w - 2 * GAP]);
  let best: Rect = { x: GAP, y: GAP, w, h };
  let least = Infinity;
  for (const left of [...edges, GAP, frame.w - w - GAP]) {
    for (const top of [middle, GAP, frame.h - h - GAP]) {
      const x = Math.max(GAP, Math.min(left, frame.w - w - GAP));
      const y = Math.max(GAP, Math.min(top, frame.h - h - GAP));
      const covered = taken.reduce((sum, one) => sum + overlap({ x, y, w, h }, one), 0);
      const far = Math.hypot(x + w / 2 - hex.x - hex.w / 2, y + h / 2 - hex.y - hex.h / 2);
      const cost = covered * 10 + far;
      if (cost < least) [best, least] = [{ x, y, w, h }, cost];
    }
  }
  return best;
}

function put(element: HTMLElement, rect: Rect): void {
  element.style.left = `${rect.x}px`;
  element.style.top = `${rect.y}px`;
}

// Arranges a card around a hex on the screen; on narrow screens CSS does this.
export function placeCard(card: HTMLElement, shape: DOMRect): void {
  const tiles = [...card.querySelectorAll<HTMLElement>(".ring-tile")];
  const body = card.querySelector<HTMLElement>(".hex-box")!;
  const tools = card.querySelector<HTMLElement>(".lay-tools");
  if (narrow()) {
    for (const one of [...tiles, body, tools]) one?.removeAttribute("style");
    return;
  }
  const outer = card.parentElement!.getBoundingClientRect();
  const frame = { x: 0, y: 0, w: outer.width, h: outer.height };
  const hex = { x: shape.left - outer.left, y: shape.top - outer.top, w: shape.width, h: shape.height };
  const bar = card.parentElement!.querySelector(".map-tools")!.getBoundingClientRect();
  const taken: Rect[] = [hex, { x: bar.left - outer.left, y: bar.top - outer.top, w: bar.width, h: bar.height }];
  if (tools && tiles.length) {
    const below = hex.y + hex.h + GAP;
    const top = below + TOOLS.h < frame.h ? below : hex.y - TOOLS.h - GAP;
    const left = hex.x + hex.w / 2 - TOOLS.w / 2;
    const spot = { x: Math.max(GAP, Math.min(left, frame.w - TOOLS.w - GAP)), y: top, ...TOOLS };
    put(tools, spot);
    taken.push(spot);
  }
  const size = { x: 0, y: 0, w: tiles[0]?.offsetWidth ?? 0, h: Math.max(0, ...tiles.map((tile) => tile.offsetHeight)) };
  const spots = tiles.length ? (arc(tiles.length, size, hex, frame, taken) ?? rows(tiles.length, size, hex, frame, taken)) : [];
  spots.forEach((spot, index) => put(tiles[index], spot));
  put(body, roomFor(body.offsetWidth, body.offsetHeight, hex, frame, [...taken, ...spots]));
}
