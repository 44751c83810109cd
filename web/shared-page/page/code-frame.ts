import { writeClipboard } from "../../ui/write-clipboard.ts";
import { element, icon } from "./element.ts";
import type { SharedPageTexts } from "./page-texts.ts";
import { focusWhileScrolling } from "./scroll-frame.ts";

const SHOWN_MS = 2000;

/** Wraps preformatted code in a frame with its language and a button that copies it. */
export function codeFrame(code: Element, texts: SharedPageTexts["page"]): HTMLElement {
  const language = /(?:^|\s)language-(\S+)/.exec(code.querySelector("code")?.className ?? "")?.[1];
  const scroller = element("div", { class: "code-scroller", dir: "ltr" }, code);
  focusWhileScrolling(scroller, texts.code);
  const name = language === undefined ? texts.code : element("span", { dir: "ltr" }, language);
  const bar = element("div", { class: "code-bar" }, name, copyButton(code, texts));
  return element("div", { class: "code-frame" }, bar, scroller);
}

function copyButton(code: Element, texts: SharedPageTexts["page"]): HTMLElement {
  const label = element("span", { "aria-live": "polite" }, texts.copy);
  const button = element("button", { type: "button", class: "quiet-button" }, icon("copy"), label);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (name: "copy" | "done", text: string) => {
    label.textContent = text;
    button.firstElementChild?.replaceWith(icon(name));
  };
  button.addEventListener("click", async () => {
    const isCopied = await writeClipboard((code.textContent ?? "").replace(/\n$/, ""));
    clearTimeout(timer);
    show(isCopied ? "done" : "copy", isCopied ? texts.copied : texts.notCopied);
    timer = setTimeout(() => show("copy", texts.copy), SHOWN_MS);
  });
  return button;
}
