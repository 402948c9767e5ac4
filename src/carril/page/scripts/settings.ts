// The settings dialog: a choice is a cookie, and an attribute of the page that styles and scripts read.

function choose(input: HTMLInputElement): void {
  document.cookie = `carril-${input.name}=${input.value}; path=/; max-age=31536000; samesite=lax`;
  document.documentElement.dataset[input.name] = input.value;
  document.body.dispatchEvent(new CustomEvent("carril:settings"));
}

export function startSettings(): void {
  const dialog = document.getElementById("settings") as HTMLDialogElement | null;
  document.addEventListener("click", (event) => {
    if ((event.target as Element).closest("[data-open-settings]")) dialog?.showModal();
  });
  dialog?.addEventListener("change", (event) => {
    const input = event.target as HTMLInputElement;
    if (input.matches("[data-setting]")) choose(input);
  });
}
