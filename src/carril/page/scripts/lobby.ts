// The lobby: shows the settings of the selected title.
export function startLobby(): void {
  const form = document.getElementById("new-game");
  const title = form?.querySelector<HTMLSelectElement>('select[name="title"]');
  if (!form || !title) return;
  const show = (): void => {
    for (const block of form.querySelectorAll<HTMLElement>("[data-of]")) {
      block.hidden = block.dataset.of !== title.value;
      for (const field of block.querySelectorAll<HTMLInputElement>("input, select")) field.disabled = block.hidden;
    }
  };
  title.addEventListener("change", show);
  show();
}
