// The map: zoom and pan by buttons, wheel, pinch, drag and keys.
import { calm, narrow } from "./common";
import { type Box, chosenBox, keep, leaveArea, showTools } from "./map_view";

let whole: Box = { x: 0, y: 0, w: 1, h: 1 };
let seen: Box = whole;
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
  svg()?.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.w} ${seen.h}`);
  frame().classList.toggle("zoomed", seen.w < widest().w * 0.999);
  document.body.dispatchEvent(new CustomEvent("carril:moved"));
}

function take(): void {
  const picture = svg();
  if (!picture?.hasAttribute("width")) return;
  const [x, y, w, h] = picture.getAttribute("viewBox")!.split(" ").map(Number);
  whole = { x, y, w, h };
  picture.dataset.whole = `${x} ${y} ${w} ${h}`;
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.setAttribute("preserveAspectRatio", "xMidYMid meet");
}

// Applies the chosen view: after a reload, an action, or a change of the window's size.
function apply(): void {
  if (!svg() || !frame().clientWidth) return;
  move(chosenBox(whole, frame()) ?? whole);
  showTools();
}

// A point on the screen in map units.
export function inMap(x: number, y: number): DOMPoint {
  return new DOMPoint(x, y).matrixTransform(svg()!.getScreenCTM()!.inverse());
}

// The smallest box of the frame's shape around a box; on a narrow screen the map sets the shape.
function shaped(box: Box): Box {
  const own = frame().clientWidth / Math.max(frame().clientHeight, 1);
  const ratio = narrow() ? whole.w / whole.h : own;
  const w = Math.max(box.w, box.h * ratio);
  const h = w / ratio;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}

function widest(): Box {
  return shaped(whole);
}

export function zoom(factor: number, at?: DOMPoint): void {
  const most = widest();
  const w = Math.min(most.w, Math.max(most.w / 10, seen.w / factor));
  const h = (w * seen.h) / seen.w;
  const mid = at ?? new DOMPoint(seen.x + seen.w / 2, seen.y + seen.h / 2);
  const px = (mid.x - seen.x) / seen.w;
  const py = (mid.y - seen.y) / seen.h;
  userMove({ x: mid.x - px * w, y: mid.y - py * h, w, h });
}

// Along one axis, a view stays on the map, and a view larger than the map is centred on it.
function held(from: number, length: number, start: number, size: number): number {
  if (length >= size) return start + (size - length) / 2;
  return Math.max(start, Math.min(from, start + size - length));
}

function move(box: Box): void {
  const { x, y, w, h } = shaped(box);
  seen = { x: held(x, w, whole.x, whole.w), y: held(y, h, whole.y, whole.h), w, h };
  show();
}

function userMove(box: Box): void {
  move(box);
  keep({ mode: "free", box: seen });
  showTools();
}

// Moves a place into view, with room for what opens around it; `share` of the height is not covered.
export function reveal(point: DOMPoint, share = 1): void {
  const h = seen.h * share;
  const edge = Math.min(seen.w, h) * 0.2;
  const across = point.x > seen.x + edge && point.x < seen.x + seen.w - edge;
  const down = point.y > seen.y + edge && point.y < seen.y + h - edge;
  if (across && down) return;
  const before = seen;
  const to = { ...seen, x: point.x - seen.w / 2, y: point.y - h / 2 };
  move(to);
  if (share < 1) {
    seen = { ...seen, y: to.y }; // also beyond the edge of the map, away from what covers it
    show();
  }
  if (Math.hypot(before.x - seen.x, before.y - seen.y) > 1) leaveArea(seen);
  showTools();
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
      fingers.set(event.pointerId, event);
      const [a, b] = [...fingers.values()];
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (spread) zoom(now / spread, inMap((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2));
      spread = now;
      dragged = true;
      return;
    }
    if (!frame().classList.contains("zoomed")) return;
    if (!dragged && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 5) return;
    dragged = true;
    const from = inMap(before.clientX, before.clientY);
    const to = inMap(event.clientX, event.clientY);
    fingers.set(event.pointerId, event);
    userMove({ ...seen, x: seen.x + from.x - to.x, y: seen.y + from.y - to.y });
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    box.addEventListener(end, (event) => fingers.delete((event as PointerEvent).pointerId));
  }
}

export function showWhole(): void {
  keep({ mode: "area", area: "" });
  apply();
}

function onTool(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>("[data-map]");
  if (!button) return;
  const tool = button.dataset.map!;
  if (tool === "in") zoom(1.4);
  else if (tool === "out") zoom(1 / 1.4);
  else {
    if (tool === "auto") keep({ mode: "auto" });
    else keep({ mode: "area", area: button.dataset.area ?? "" });
    apply();
  }
}

// The wheel zooms where the page itself does not scroll, and with Ctrl everywhere.
function onWheel(event: WheelEvent): void {
  if ((event.target as Element).closest(".hex-box") || (narrow() && !event.ctrlKey && !event.metaKey)) return;
  event.preventDefault();
  zoom(1.15 ** (-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 50, 2)), inMap(event.clientX, event.clientY));
}

export function startMap(): void {
  const box = frame();
  take();
  apply();
  document.body.addEventListener("carril:parts", () => {
    take();
    apply();
  });
  new ResizeObserver(apply).observe(box);
  box.addEventListener("click", onTool);
  box.addEventListener("wheel", onWheel, { passive: false });
  startDrag(box);
  box.classList.toggle("calm", calm());
}
