// The spreadsheet is sorted by clicking the head of a column; a second click turns the order round.

function value(row: Element, column: number): number | string {
  const text = (row.children[column] as HTMLElement).dataset.value ?? "";
  return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function sort(head: HTMLTableCellElement): void {
  const body = head.closest("table")!.tBodies[0];
  const order = head.ariaSort === "descending" ? "ascending" : "descending";
  for (const other of head.parentElement!.children) other.ariaSort = null;
  head.ariaSort = order;
  const rows = [...body.rows].map((row) => [value(row, head.cellIndex), row] as const);
  rows.sort(([a], [b]) => (order === "ascending" ? compare(a, b) : compare(b, a)));
  body.append(...rows.map(([, row]) => row));
}

export function startSheet(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest("[data-sort]");
    if (button) sort(button.closest("th")!);
  });
}
