import type { PageMessage, SharedPageAnswer } from "#contract/shares/shared-page.ts";
import { isRightToLeft } from "../../locales/supported-languages.ts";
import { exactTime, longDate } from "../../locales/times.ts";
import { buildNodes } from "./build-nodes.ts";
import { element, logo } from "./element.ts";
import { type FileSource, fileList } from "./file-list.ts";
import { fillIn } from "./fill-in.ts";

/**
 * `texts`: in `language`. `readFile`: reads a file by its position. `action`: control at the end of the header.
 * `signal`: ends when the page is removed, which frees its pictures.
 */
export type PageView = FileSource & { answer: SharedPageAnswer; action?: HTMLElement };

/** Replaces the content of `target` by the page of a link. Elements are created one by one, never from HTML. */
export function fillPage(target: HTMLElement | ShadowRoot, view: PageView): void {
  const { texts, language, answer } = view;
  const messages = answer.page.messages.map((message) => messageOf(message, view));
  const content = messages.length > 0 ? messages : [element("p", { class: "empty" }, texts.page.empty)];
  target.replaceChildren(
    element(
      "div",
      { class: "shared-page", lang: language, dir: isRightToLeft(language) ? "rtl" : "ltr" },
      ...[barOf(view), element("div", { class: "column" }, headOf(view), ...content)],
    ),
  );
}

function barOf({ answer, action }: PageView): HTMLElement {
  const product = element("div", { class: "product" }, logo(), element("bdi", {}, answer.product));
  return element("div", { class: "bar" }, product, ...(action ? [action] : []));
}

function headOf({ answer: { page }, texts, language }: PageView): HTMLElement {
  const { title, author, createdAt } = page;
  const facts = [
    ...(author ? [fillIn(texts.page.author, { author }, language)] : []),
    timeOf(createdAt, longDate(createdAt, language)),
    texts.page.written,
  ].map((fact) => element("li", {}, fact));
  return element(
    "div",
    { class: "head" },
    element("h1", { dir: "auto" }, title),
    element("ul", { class: "facts" }, ...facts),
  );
}

function messageOf(message: PageMessage, view: PageView): HTMLElement {
  const { texts, language } = view;
  const { role, model, createdAt, body, files = [], remark, isSimple } = message;
  const isQuestion = role === "user";
  const name = isQuestion ? texts.page.question : (model ?? texts.page.answer);
  const heading = element("h2", { class: "who" }, element("bdi", {}, name));
  const about = element("div", { class: "about" }, heading, timeOf(createdAt, exactTime(createdAt, language)));
  const words = element(
    "div",
    { class: isSimple ? "words simple-shaping" : "words", dir: "auto" },
    buildNodes(body, view),
  );
  const listed = files.length > 0 ? [fileList(files, view)] : [];
  const content = isQuestion ? [...listed, words] : [words, ...listed];
  return element(
    "section",
    { class: isQuestion ? "message question" : "message answer" },
    ...[about, ...(body.length > 0 ? content : listed)],
    ...(remark && Object.hasOwn(texts.remarks, remark)
      ? [element("p", { class: "remark" }, texts.remarks[remark])]
      : []),
  );
}

/** Returns a time element; its text alone if the number is no time. */
function timeOf(at: number, text: string): Node {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return document.createTextNode(text);
  return element("time", { datetime: time.toISOString() }, text);
}
