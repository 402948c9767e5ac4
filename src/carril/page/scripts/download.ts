// Downloads of pictures as SVG and PNG: a picture by itself, with the styles and shapes it refers to.

const KEPT = /\.(carril|hex|rulers|lit|halo|series-line)\b/;
const SCALE = 2; // pixels of a PNG for each unit of the picture's own size

// The style rules that pictures use, and the current values of their variables.
function styles(): string {
  const rules: string[] = [];
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSStyleRule && KEPT.test(rule.selectorText)) rules.push(rule.cssText);
    }
  }
  const names = new Set(rules.join().match(/--[\w-]+/g));
  const now = getComputedStyle(document.documentElement);
  const values = [...names].map((name) => [name, now.getPropertyValue(name)]).filter(([, value]) => value);
  return `:root{${values.map(([name, value]) => `${name}:${value}`).join(";")}}${rules.join("")}`;
}

function wholeBox(picture: SVGSVGElement): string {
  return picture.dataset.whole ?? picture.getAttribute("viewBox")!;
}

// A copy of the whole picture that needs nothing of the page.
function alone(picture: SVGSVGElement): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const [, , w, h] = wholeBox(picture).split(" ").map(Number);
  copy.setAttribute("viewBox", wholeBox(picture));
  copy.setAttribute("width", String(Math.round(w)));
  copy.setAttribute("height", String(Math.round(h)));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const [name, value] of Object.entries(document.documentElement.dataset)) copy.setAttribute(`data-${name}`, value ?? "");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = styles();
  const shapes = [...document.querySelectorAll("svg.off-stage defs")].map((defs) => defs.cloneNode(true));
  copy.prepend(style, ...shapes);
  copy.querySelector("#preview")?.remove();
  return copy;
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function png(copy: SVGSVGElement, text: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(copy.getAttribute("width")) * SCALE;
  canvas.height = Number(copy.getAttribute("height")) * SCALE;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

async function download(button: HTMLElement): Promise<void> {
  const picture = button.closest("[data-picture]")?.querySelector<SVGSVGElement>("svg.carril");
  if (!picture) return;
  const copy = alone(picture);
  const text = new XMLSerializer().serializeToString(copy);
  const name = `${button.closest<HTMLElement>("[data-picture]")!.dataset.picture}.${button.dataset.download}`;
  const file = button.dataset.download === "png" ? await png(copy, text) : new Blob([text], { type: "image/svg+xml" });
  save(file, name);
}

export function startDownloads(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-download]");
    if (button) void download(button);
  });
}
