import type { Words } from "./page/build-nodes.ts";
import { element } from "./page/element.ts";
import { fillIn } from "./page/fill-in.ts";
import { buttonOf, waitWords } from "./screens.ts";
import { copySharedChat, type SharedFailure } from "./shared-api.ts";
import { goToSignIn } from "./sign-in.ts";

/** Creates the button that copies the chat into the account of the reader and opens the copy. */
export function continueAction(token: string, words: Words): HTMLElement {
  const { screen } = words.texts;
  const failure = element("div", { class: "action-failure", role: "alert" });
  let isCopying = false;
  const act = async () => {
    if (isCopying) return;
    isCopying = true;
    failure.replaceChildren();
    button.textContent = screen.continuing;
    button.setAttribute("aria-disabled", "true");
    const outcome = await copySharedChat(token);
    if ("id" in outcome) return location.assign(`/chat?${new URLSearchParams({ c: outcome.id })}`);
    isCopying = false;
    button.textContent = screen.continue;
    button.removeAttribute("aria-disabled");
    failure.replaceChildren(...failureNodes(outcome, words));
  };
  const button = buttonOf({ text: screen.continue, act: () => void act() }, "primary-button");
  return element("div", { class: "action" }, button, failure);
}

function failureNodes(outcome: SharedFailure, { texts: { screen }, language }: Words): Node[] {
  const sentence = (text: string) => element("p", {}, text);
  if (outcome.kind === "busy")
    return [sentence(fillIn(screen.copyBusy, { wait: waitWords(outcome.waitMs, language) }, language))];
  if (outcome.kind === "signed-out")
    return [sentence(screen.signedOut), buttonOf({ text: screen.signIn, act: goToSignIn }, "secondary-button")];
  const sentences = {
    gone: screen.gone,
    "no-room": screen.noRoom,
    unreachable: `${screen.unreachable} ${screen.unreachableText}`,
    unexpected: screen.notCopied,
  };
  return [sentence(sentences[outcome.kind])];
}
