import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import { directionTexts } from "../../../testing/rendering/direction-texts.ts";
import { formulaTexts, nestedFences } from "../../../testing/rendering/formula-texts.ts";
import { renderMarkdown } from "./render-markdown.ts";

type Node = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
};

const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
const textOf = (node: Node, without: readonly string[] = []): string =>
  without.includes(node.tagName ?? "")
    ? ""
    : (node.value ?? (node.children ?? []).map((child) => textOf(child, without)).join(""));
const treeOf = (text: string): Node => fromHtml(renderMarkdown(text), { fragment: true });

describe("the cases of reading in an HTML file", () => {
  it.each(directionTexts)("each block has the direction of most of its letters: $text", ({ text, blocks }) => {
    const directed = all(treeOf(text)).filter(({ properties }) => properties?.dir);
    expect(directed.map(({ tagName, properties }) => [tagName, properties?.dir])).toEqual(blocks);
  });

  it.each(formulaTexts)("a formula is drawn, and no word is lost: $text", ({ text, formulas, words }) => {
    const tree = treeOf(text);
    expect(all(tree).filter(({ tagName }) => tagName === "math").length).toBe(formulas);
    expect(textOf(tree, ["math"]).replaceAll(/\s/g, "")).toBe(words);
  });

  it.each(nestedFences)("code of Markdown ends where its writer ended it: $text", ({ text, codes, words }) => {
    const tree = treeOf(text);
    const blocks = all(tree).filter(({ tagName }) => tagName === "pre");
    expect(blocks.map((code) => textOf(code).replace(/\n$/, ""))).toEqual(codes);
    expect(textOf(tree, ["pre"]).replaceAll(/\s/g, "")).toBe(words);
  });
});
