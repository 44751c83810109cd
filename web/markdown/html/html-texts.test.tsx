// @vitest-environment happy-dom
import { expect, test } from "vitest";
import "../../testing/english-texts.ts";
import { type HtmlText, htmlAnswers, htmlInMarkdown } from "../../../testing/rendering/html-texts.ts";
import { problemsOf } from "../../testing/harmless-page.ts";
import { loadReplyModules, mountReply } from "../../testing/render-growing-reply.tsx";
import { PrintWork } from "../print-work.ts";

loadReplyModules();

const all: readonly HtmlText[] = [...htmlAnswers, ...htmlInMarkdown];

/** Returns the words of a reply without white space, and without the toolbars of code. */
function wordsOf(page: Element): string {
  const copy = document.createElement("div");
  copy.innerHTML = page.innerHTML;
  for (const bar of copy.querySelectorAll("figure.reply-code > figcaption")) bar.remove();
  return (copy.textContent ?? "").replaceAll(/\s/g, "");
}

test.each(all)("an answer with HTML is rendered as HTML without loss of text: $name", async ({ text, has, words }) => {
  for (const work of [null, new PrintWork()]) {
    const { page, show, close } = mountReply(work);
    await show(text, false);
    for (const selector of has ?? [])
      expect([selector, page.querySelector(selector) !== null]).toEqual([selector, true]);
    expect(wordsOf(page)).toBe(words);
    expect(problemsOf(page, "m1")).toEqual([]);
    await close();
  }
});

test.each(all)("an answer with HTML grows to the same page, and takes nothing back: $name", async ({ text }) => {
  const whole = mountReply();
  await whole.show(text, false);
  const { page, show, close } = mountReply();
  let longest = "";
  for (let end = 1; end <= text.length; end += 1) {
    await show(text.slice(0, end), true);
    const words = wordsOf(page);
    // Held back text may wait, but what was painted stays.
    expect([end, longest.startsWith(words) || words.startsWith(longest)]).toEqual([end, true]);
    if (words.length > longest.length) longest = words;
  }
  await show(text, false);
  expect(page.innerHTML.replaceAll(/ id="[^"]*"/g, "")).toBe(whole.page.innerHTML.replaceAll(/ id="[^"]*"/g, ""));
  await close();
  await whole.close();
});
