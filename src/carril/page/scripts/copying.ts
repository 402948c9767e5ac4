// Copying links, also where the browser offers no clipboard.
import { say } from "./common";

async function copy(button: HTMLElement): Promise<void> {
  const link = button.dataset.copy!;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    const field = button.parentElement!.querySelector<HTMLInputElement>("input[readonly]");
    field?.select();
    if (!document.execCommand("copy")) return;
  }
  say(document.body.dataset.copied!);
}

export function startCopying(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
    if (button) void copy(button);
  });
}
