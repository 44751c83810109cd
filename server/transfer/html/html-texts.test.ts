import { fromHtml } from "hast-util-from-html";
import { toHtml } from "hast-util-to-html";
import { describe, expect, it } from "vitest";
import { htmlAnswers, htmlInMarkdown } from "../../../testing/rendering/html-texts.ts";
import { renderMarkdown, renderSections } from "./render-markdown.ts";

type Node = { type: string; tagName?: string; value?: string; children?: Node[] };

const wordsOf = (node: Node): string => node.value ?? (node.children ?? []).map(wordsOf).join("");
const namesOf = ({ tagName, children = [] }: Node): string[] => [tagName ?? "", ...children.flatMap(namesOf)];

describe("answers with HTML in an HTML file", () => {
  it.each([...htmlAnswers, ...htmlInMarkdown])(
    "an answer with HTML is HTML in the file, without loss of text: $name",
    ({ text, has = [], words }) => {
      const html = renderMarkdown(text);
      const tree = fromHtml(html, { fragment: true });
      expect(wordsOf(tree).replaceAll(/\s/g, "")).toBe(words);
      const wanted = has.flatMap((selector) => selector.split(/[\s>+]+/)).map((each) => each.replace(/\[.*/, ""));
      expect(namesOf(tree)).toEqual(expect.arrayContaining(wanted));
      // Parsing it again changes nothing: no element stands where HTML would move it.
      expect(toHtml(tree, { closeSelfClosing: true })).toBe(html);
    },
  );

  it("HTML in a question is text", () => {
    expect(renderSections("<b>x</b>", { isQuestion: true })).toEqual(["<p>&#x3C;b>x&#x3C;/b></p>"]);
  });

  it("a picture of an answer that is HTML is a link", () => {
    expect(renderMarkdown("<p><img src=https://a.example/x.png alt=Cat></p>")).toBe(
      '<p><a href="https://a.example/x.png" rel="noopener noreferrer">Cat</a></p>',
    );
  });

  it.each([
    "[![Cat](https://a.example/x.png)](https://a.example)",
    "<p><a href=https://a.example><img src=https://a.example/x.png alt=Cat></a></p>",
  ])("a picture within a link is its alternative text: %s", (text) => {
    expect(renderMarkdown(text)).toBe('<p><a href="https://a.example/" rel="noopener noreferrer">Cat</a></p>');
  });
});
