import { SECOND } from "#contract/limits.ts";
import { isRightToLeft, type Language } from "../locales/supported-languages.ts";
import { element, logo } from "./page/element.ts";
import type { SharedPageTexts } from "./page/page-texts.ts";

export type ScreenButton = { text: string; act: () => void };

/** `text`: a second sentence. `isWaiting`: the page goes on by itself. */
type Screen = { title: string; text?: string; button?: ScreenButton; isWaiting?: boolean };

/** Creates a button. `primary`: the one next step. */
export function buttonOf(
  { text, act }: ScreenButton,
  className: "primary-button" | "secondary-button",
): HTMLButtonElement {
  const button = element("button", { type: "button", class: className }, text);
  button.addEventListener("click", act);
  return button;
}

/** Returns a page with one message, and moves the focus to it if the focus was in the replaced page. */
export function showScreen(root: HTMLElement, language: Language, { title, text, button, isWaiting }: Screen): void {
  const hadFocus = root.contains(document.activeElement);
  const heading = element("h1", { tabindex: "-1" }, title);
  const message = element("div", { class: "message-screen", ...(isWaiting && { role: "status" }) }, logoOf(), heading);
  if (text !== undefined) message.append(element("p", {}, text));
  if (button !== undefined) message.append(buttonOf(button, "primary-button"));
  root.setAttribute("aria-busy", String(isWaiting ?? false));
  root.replaceChildren(
    element("div", { class: "shared-page", lang: language, dir: isRightToLeft(language) ? "rtl" : "ltr" }, message),
  );
  if (hadFocus) heading.focus();
}

/** The logo with the product's name, which the server writes into the document. */
function logoOf(): HTMLElement {
  const name = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? "";
  return element("div", { class: "product" }, logo(), element("bdi", {}, name));
}

/** Adds the heading that a screen reader announces while the first page is loaded. */
export function announceLoading(root: HTMLElement, texts: SharedPageTexts): void {
  root.append(element("div", { role: "status", class: "sr-only" }, element("h1", {}, texts.screen.loading)));
}

/** Formats a time to wait, rounded up: "12 seconds", "2 minutes". */
export function waitWords(waitMs: number, language: Language): string {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND));
  const [value, unit] = seconds <= 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}
