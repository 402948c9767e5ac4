// Settings: kept in cookies, and as attributes of the root element for styles and scripts.

// Returns the value of a setting; `page/settings.py` has their names and values.
export function setting(name: string): string {
  return document.documentElement.dataset[name] ?? "";
}

function choose(list: HTMLSelectElement): void {
  document.documentElement.dataset[list.dataset.setting!] = list.value;
  document.cookie = `${list.dataset.cookie}=${list.value}; path=/; max-age=31536000; samesite=lax`;
  document.body.dispatchEvent(new CustomEvent("carril:settings"));
}

export function openDialog(id: string): void {
  const dialog = document.getElementById(id) as HTMLDialogElement | null;
  if (dialog && !dialog.open) dialog.showModal();
}

export function startSettings(): void {
  document.addEventListener("change", (event) => {
    const list = (event.target as Element).closest<HTMLSelectElement>("[data-setting]");
    if (list) choose(list);
  });
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("[data-open-dialog]");
    if (button) openDialog(button.dataset.openDialog!);
    // A click on the backdrop closes a dialog.
    if (target.matches("dialog.dialog")) (target as HTMLDialogElement).close();
  });
  // A form in a dialog closes it once it is accepted.
  document.body.addEventListener("htmx:afterRequest", (event) => {
    const { elt, successful } = (event as CustomEvent).detail as { elt: Element; successful: boolean };
    if (successful && elt.matches("form")) elt.closest("dialog")?.close();
  });
}
