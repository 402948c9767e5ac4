// Buttons that are about a place, and that place on the map: pointing at one shows the other.
// Where a hex has several cities, those to choose from are numbered and can be clicked.

const SVG = "http://www.w3.org/2000/svg";

function buttons(place: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-place="${place}"]`)];
}

function shapes(place: string): Element[] {
  const wanted = place.includes(".") ? `[data-stop="${place}"]` : `.ground [data-hex="${place}"]`;
  return [...document.querySelectorAll(`#map ${wanted}`)];
}

// The cities to choose, on the panel or an open card, in hexes that have several cities.
function choices(): string[] {
  const places = [...document.querySelectorAll<HTMLElement>(".choice[data-place]:not(.greyed)")].map((b) => b.dataset.place!);
  return [...new Set(places)].filter((place) => place.includes(".") && cities(place.split(".")[0]) > 1);
}

function cities(hex: string): number {
  return document.querySelectorAll(`#map .stops [data-stop^="${hex}."]:has(circle.slot)`).length;
}

// Chooses the city whose circle was clicked; returns whether there is one to choose.
export function chooseCity(target: Element): boolean {
  const place = target.closest<SVGElement>("#map [data-stop]")?.dataset.stop;
  if (!place || !choices().includes(place)) return false;
  const found = buttons(place).filter((button) => button.closest("#part-panel") && !button.classList.contains("greyed"));
  if (found.length !== 1) return false;
  found[0].click();
  return true;
}

function point(place: string | undefined, on: boolean): void {
  if (!place) return;
  for (const shape of shapes(place)) shape.classList.toggle("pointed-at", on);
  for (const button of buttons(place)) button.classList.toggle("pointed-at", on);
}

function placeOf(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>("[data-place]")?.dataset.place ?? target.closest<SVGElement>("#map [data-stop]")?.dataset.stop;
}

function number(place: string): void {
  const stop = document.querySelector<SVGGElement>(`#map .stops [data-stop="${place}"]`);
  const circles = [...(stop?.querySelectorAll("circle.slot") ?? [])];
  const used = document.querySelectorAll(`#map .stops [data-token="${place}"]`).length;
  const circle = circles[Math.min(used, circles.length - 1)];
  if (!stop || !circle) return;
  const badge = document.createElementNS(SVG, "g");
  const disc = document.createElementNS(SVG, "circle");
  const text = document.createElementNS(SVG, "text");
  const [x, y] = [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
  disc.setAttribute("cx", String(x));
  disc.setAttribute("cy", String(y));
  disc.setAttribute("r", "19");
  text.setAttribute("x", String(x));
  text.setAttribute("y", String(y + 10));
  text.setAttribute("font-size", "28");
  text.textContent = String(Number(place.split(".")[1]) + 1);
  badge.setAttribute("class", "city-number");
  badge.append(disc, text);
  stop.append(badge);
}

function prepare(): void {
  for (const old of document.querySelectorAll("#map .city-number, #map .choosable")) {
    if (old.classList.contains("choosable")) old.classList.remove("choosable");
    else old.remove();
  }
  for (const place of choices()) {
    number(place);
    for (const shape of shapes(place)) shape.classList.add("choosable");
  }
}

export function startCities(): void {
  for (const [enter, leave] of [
    ["pointerover", "pointerout"],
    ["focusin", "focusout"],
  ]) {
    document.addEventListener(enter, (event) => point(placeOf(event.target), true));
    document.addEventListener(leave, (event) => point(placeOf(event.target), false));
  }
  document.body.addEventListener("carril:parts", prepare);
  document.body.addEventListener("carril:hex", prepare);
  prepare();
}
