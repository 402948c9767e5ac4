// The lobby: shows the settings and set-ups of the selected title and number of players.
export function startLobby(): void {
  const form = document.getElementById("new-game");
  const title = form?.querySelector<HTMLSelectElement>('select[name="title"]');
  if (!form || !title) return;
  const seats = [...form.querySelectorAll<HTMLSelectElement>('select[name^="seat-"]')];
  const show = (): void => {
    const players = String(seats.filter((seat) => seat.value).length);
    for (const block of form.querySelectorAll<HTMLElement>("[data-of]")) {
      block.hidden = block.dataset.of !== title.value;
      for (const field of block.querySelectorAll<HTMLInputElement>("input, select")) field.disabled = block.hidden;
      if (!block.hidden) fit(block, players);
    }
  };
  const clock = form.querySelector<HTMLSelectElement>('select[name="clock"]');
  const penalty = form.querySelector<HTMLSelectElement>('select[name="penalty"]');
  const showClock = (): void => {
    for (const block of form.querySelectorAll<HTMLElement>("[data-clock]")) {
      block.hidden = block.dataset.clock !== clock?.value;
    }
    if (penalty) penalty.closest("label")!.hidden = clock?.value === "none";
  };
  form.addEventListener("change", show);
  form.addEventListener("change", showClock);
  showClock();
  form.addEventListener("click", (event) => {
    const preset = (event.target as Element).closest<HTMLElement>("[data-friends]");
    if (!preset) return;
    const count = Number(preset.dataset.friends);
    seats.forEach((seat, index) => {
      seat.value = index === 0 ? "me" : index < count ? "person" : "";
    });
    show();
    form.querySelector<HTMLInputElement>('input[name="name-2"]')?.focus();
  });
  show();
}

// Offers only the set-ups and variants for this number of players, with one of the set-ups selected.
function fit(block: HTMLElement, players: string): void {
  const fitting: HTMLInputElement[] = [];
  for (const line of block.querySelectorAll<HTMLElement>("[data-players]")) {
    const radio = line.querySelector("input");
    line.hidden = line.dataset.players !== players;
    if (!radio) continue;
    radio.disabled = line.hidden;
    if (!line.hidden) fitting.push(radio);
  }
  const first = fitting[0];
  if (first && !fitting.some((radio) => radio.checked)) first.checked = true;
  const none = block.querySelector<HTMLElement>("[data-no-setup]");
  if (none) none.hidden = fitting.length > 0;
  for (const label of block.querySelectorAll<HTMLElement>("[data-for]")) {
    const box = label.querySelector("input");
    if (box) box.disabled = !label.dataset.for?.split(" ").includes(players);
  }
}
