// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { bareAddresses, cjkTexts } from "../../testing/rendering/cjk-texts.ts";
import { loadReplyModules, mountReply } from "../testing/render-growing-reply.tsx";

loadReplyModules();

/** Returns the elements of emphasis in a page as HTML without attributes. */
const formOf = (page: Element) =>
  (page.querySelector("p")?.innerHTML ?? "").replaceAll(/<(\/?)(\w+)[^>]*>/g, (_, slash: string, name: string) =>
    name === "span" ? (slash ? "</strong>" : "<strong>") : `<${slash}${name}>`,
  );

describe("texts in Chinese, Japanese and Korean", () => {
  test.each(cjkTexts)(
    "%s has emphasis and tildes as people mean them, at once and after growing",
    async (text, html) => {
      for (const steps of [[text.length], Array.from(text, (_, at) => at + 1)]) {
        const { page, show, close } = mountReply();
        for (const end of steps) await show(text.slice(0, end), end < text.length);
        expect(formOf(page)).toBe(html);
        await close();
      }
    },
  );

  test.each(bareAddresses)("the bare addresses in %s end before wide punctuation", async (text, links) => {
    const { page, show, close } = mountReply();
    await show(text, false);
    const found = [...page.querySelectorAll("a")].map((link) => [new URL(link.href).href, link.textContent]);
    expect(found).toEqual(links);
    expect(page.textContent?.trim()).toBe(text);
    await close();
  });

  test("a long text without spaces has a link for each of its addresses", async () => {
    const { page, show, close } = mountReply();
    await show(`https://a.example。`.repeat(500), false);
    expect(page.querySelectorAll("a")).toHaveLength(500);
    await close();
  });
});
