// Where hexes are: in their layer, on the sheet of the map, and on the screen.

export function hexAt(id: string): SVGGElement | null {
  return document.querySelector(`#map .ground [data-hex="${id}"]`);
}

// The centre of a hex in the units of its layer.
export function local(hex: SVGGElement): DOMPoint {
  const shape = hex.querySelector("use")!;
  return new DOMPoint(Number(shape.getAttribute("x")), Number(shape.getAttribute("y")));
}

// The group that holds the layers of the map.
export function layers(): SVGGElement {
  return document.querySelector<SVGGElement>("#map .ground")!.parentElement as unknown as SVGGElement;
}

// The centre of a hex on the sheet.
export function onSheet(hex: SVGGElement): DOMPoint {
  const matrix = layers().transform.baseVal.consolidate()?.matrix;
  const at = local(hex);
  return new DOMPoint(at.x + (matrix?.e ?? 0), at.y + (matrix?.f ?? 0));
}
