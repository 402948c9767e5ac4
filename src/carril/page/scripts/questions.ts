// Questions before something is taken back or deleted, in a dialog of the page.
interface Asking {
  question: string | null;
  issueRequest: (skipConfirmation: boolean) => void;
}

function ask(event: Event): void {
  const detail = (event as CustomEvent).detail as Asking;
  const box = document.getElementById("question") as HTMLDialogElement | null;
  if (!detail.question || !box) return;
  event.preventDefault();
  box.querySelector("p")!.textContent = detail.question;
  box.returnValue = "";
  box.onclose = () => {
    if (box.returnValue === "yes") detail.issueRequest(true);
  };
  box.showModal();
}

export function startQuestions(): void {
  document.body.addEventListener("htmx:confirm", ask);
}
