// Questions before something is taken back or deleted, and before moves if the user wants that.
import { setting } from "./settings";

interface Asking {
  elt: HTMLElement;
  question: string | null;
  issueRequest: (skipConfirmation: boolean) => void;
}

// The question that a user has asked for: before passes, or before every move.
function wanted(elt: HTMLElement): string | null {
  const button = elt.matches("[data-kind]") ? elt : elt.querySelector<HTMLElement>("button[data-kind]");
  const kind = button?.dataset.kind;
  if (!kind || !(setting("confirm") === "all" || (setting("confirm") === "passes" && kind === "pass"))) return null;
  return `${button.textContent!.trim().replace(/\s+/g, " ")}?`;
}

function ask(event: Event): void {
  const detail = (event as CustomEvent).detail as Asking;
  const box = document.getElementById("question") as HTMLDialogElement | null;
  const question = detail.question ?? wanted(detail.elt);
  if (!question || !box) return;
  event.preventDefault();
  box.querySelector("p")!.textContent = question;
  box.returnValue = "";
  box.onclose = () => {
    if (box.returnValue === "yes") detail.issueRequest(true);
  };
  box.showModal();
}

export function startQuestions(): void {
  document.body.addEventListener("htmx:confirm", ask);
}
