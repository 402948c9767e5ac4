// The map: zoom and pan by buttons, modifier and wheel, pinch, drag and keys.
import { calm, narrow } from "./common";

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

let whole: Box = { x: 0, y: 0, w: 1, h: 1 };
let seen: Box | null = null; // the visible area; null means the whole map
let dragged = false;

export function svg(): SVGSVGElement | null {
  return document.querySelector<SVGSVGElement>("#map > svg");
}

export function wasDragged(): boolean {
  return dragged;
}

function frame(): HTMLElement {
  return document.getElementById("map-frame")!;
}

function show(): void {
  const picture = svg();
  if (!picture) return;
  const box = seen ?? whole;
  picture.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  frame().classList.toggle("zoomed", seen !== null);
  document.body.dispatchEvent(new CustomEvent("carril:moved"));
}

function take(): void {
  const picture = svg();
  if (!picture) return;
  const [x, y, w, h] = picture.getAttribute("viewBox")!.split(" ").map(Number);
  whole = { x, y, w, h };
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.setAttribute("preserveAspectRatio", "xMidYMid meet");
  show();
}

// A point on the screen in map units.
export function inMap(x: number, y: number): DOMPoint {
  return new DOMPoint(x, y).matrixTransform(svg()!.getScreenCTM()!.inverse());
}

export function showWhole(): void {
  seen = null;
  show();
}

export function zoom(factor: number, at?: DOMPoint): void {
  const box = seen ?? whole;
  const w = Math.min(whole.w, Math.max(whole.w / 8, box.w / factor));
  if (w >= whole.w * 0.999) {
    seen = null;
    show();
    return;
  }
  const h = (w * whole.h) / whole.w;
  const mid = at ?? new DOMPoint(box.x + box.w / 2, box.y + box.h / 2);
  const px = (mid.x - box.x) / box.w;
  const py = (mid.y - box.y) / box.h;
  move({ x: mid.x - px * w, y: mid.y - py * h, w, h });
}

function move(box: Box): void {
  const x = Math.max(whole.x, Math.min(box.x, whole.x + whole.w - box.w));
  const y = Math.max(whole.y, Math.min(box.y, whole.y + whole.h - box.h));
  seen = { ...box, x, y };
  show();
}

// Scrolls a place into view when the map is zoomed.
export function reveal(point: DOMPoint): void {
  if (!seen) return;
  const edge = seen.w * 0.15;
  const inside = point.x > seen.x + edge && point.x < seen.x + seen.w - edge;
  const high = point.y > seen.y + edge && point.y < seen.y + seen.h - edge;
  if (inside && high) return;
  move({ ...seen, x: point.x - seen.w / 2, y: point.y - seen.h / 2 });
}

function startDrag(box: HTMLElement): void {
  const fingers = new Map<number, PointerEvent>();
  let spread = 0;
  box.addEventListener("pointerdown", (event) => {
    dragged = false;
    if ((event.target as Element).closest(".hexcard, .map-tools")) return;
    fingers.set(event.pointerId, event);
    spread = 0;
  });
  box.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) {
      handled = true;
      fingers.set(event.pointerId, event);
      const [a, b] = [...fingers.values()];
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (spread) zoom(now / spread, inMap((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2));
      spread = now;
      dragged = true;
      return;
    }
    if (!seen || (!dragged && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 5)) return;
    dragged = true;
    const from = inMap(before.clientX, before.clientY);
    const to = inMap(event.clientX, event.clientY);
    fingers.set(event.pointerId, event);
    move({ ...seen, x: seen.x + from.x - to.x, y: seen.y + from.y - to.y });
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    box.addEventListener(end, (event) => fingers.delete((event as PointerEvent).pointerId));
  }
}

// On a narrow screen the map starts at a highlighted hex, until the user moves it.
let handled = false;

function fit(): void {
  const lights = [...document.querySelectorAll<SVGGraphicsElement>("#map [data-highlight]")];
  if (handled || !narrow()) return;
  if (!lights.length) {
    seen = null;
    show();
    return;
  }
  const back = svg()!.getScreenCTM()!.inverse();
  const points = lights.map((light) => {
    const at = light.getBoundingClientRect();
    return new DOMPoint(at.left + at.width / 2, at.top + at.height / 2).matrixTransform(back);
  });
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const room = 260;
  const needed = Math.max(Math.max(...xs) - Math.min(...xs) + room, ((Math.max(...ys) - Math.min(...ys) + room) * whole.w) / whole.h);
  const w = Math.max(whole.w * 0.45, needed);
  if (w > whole.w * 0.9) {
    seen = null;
    show();
    return;
  }
  const h = (w * whole.h) / whole.w;
  move({ x: (Math.max(...xs) + Math.min(...xs) - w) / 2, y: (Math.max(...ys) + Math.min(...ys) - h) / 2, w, h });
}

export function startMap(): void {
  const box = frame();
  take();
  fit();
  document.body.addEventListener("carril:parts", () => {
    if (!svg()?.hasAttribute("width")) return;
    take();
    fit();
  });
  box.addEventListener("click", (event) => {
    const tool = (event.target as Element).closest<HTMLElement>("[data-map]")?.dataset.map;
    if (tool) handled = true;
    if (tool === "in") zoom(1.4);
    if (tool === "out") zoom(1 / 1.4);
    if (tool === "whole") showWhole();
  });
  box.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the wheel alone scrolls the page
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, inMap(event.clientX, event.clientY));
    },
    { passive: false },
  );
  startDrag(box);
  box.classList.toggle("calm", calm());
}
