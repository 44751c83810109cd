import { describe, expect, it } from "vitest";
import { bareAddresses, cjkTexts } from "../../../testing/rendering/cjk-texts.ts";
import { renderMarkdown } from "./render-markdown.ts";

describe("texts in Chinese, Japanese and Korean in an HTML file", () => {
  it.each(cjkTexts)("%s has emphasis and tildes as in the page", (text, html) => {
    expect(renderMarkdown(text)).toBe(`<p>${html}</p>`);
  });

  it.each(bareAddresses)("the bare addresses in %s end as in the page", (text, links) => {
    const found = [...renderMarkdown(text).matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => new URL(href).href);
    expect(found).toEqual(links.map(([url]) => url));
  });

  it("a megabyte of addresses without spaces is rendered", () => {
    expect(renderMarkdown(`${"https://a.example。".repeat(500)}\n`.repeat(100)).split("<a ")).toHaveLength(50_001);
  });
});
