import { expect, it } from "vitest";
import { type PageNode, PHRASE, pageClasses, pagePhrases } from "#contract/shares/shared-page.ts";
import { answerElements } from "#contract/text/html/elements.ts";
import { MATHS_TAGS } from "#contract/text/html/maths.ts";
import { vectors } from "../../../testing/rendering/all.ts";
import { toPageNodes } from "./page-nodes.ts";
import { renderTrees } from "./render-markdown.ts";

const nodesOf = (markdown: string): PageNode[] =>
  renderTrees(markdown, { isPage: true }).flatMap((tree) => toPageNodes(tree));

const names: ReadonlySet<string> = new Set([...answerElements, "input", ...MATHS_TAGS, PHRASE]);
const classes: readonly string[] = pageClasses;
const phrases: readonly string[] = pagePhrases;
/** Attributes that act, load or style. */
const ACTIVE = /^(?:on.*|style|id|src|srcset|action|formaction|xlink:href|data.*)$/;

function expectHarmless(node: PageNode, text: string): void {
  if (typeof node === "string") return;
  const [name, attributes, ...children] = node;
  expect([text, name, names.has(name)]).toEqual([text, name, true]);
  for (const [attribute, value] of Object.entries(attributes)) {
    expect([text, attribute, ACTIVE.test(attribute)]).toEqual([text, attribute, false]);
    if (attribute === "href") expect(value).toMatch(/^(https?|mailto):/);
    if (attribute === "class" && name !== "code") expect(classes).toContain(value);
    if (name === PHRASE && attribute === "key") expect(phrases).toContain(value);
  }
  for (const child of children) expectHarmless(child, text);
}

it("I1 nodes of a shared page have only names and attributes that do nothing, whatever the text", () => {
  expect(vectors.length).toBeGreaterThan(500);
  for (const { text } of vectors) for (const node of nodesOf(text)) expectHarmless(node, text);
});

it("code of a shared page has its language, and disclosures are closed", () => {
  expect(nodesOf("```python\nx\n```")).toEqual([["pre", {}, ["code", { class: "language-python" }, "x\n"]]]);
  expect(nodesOf("<details open><summary>More</summary>x</details>")[0]).toEqual([
    "details",
    {},
    ["summary", {}, "More"],
    ["p", {}, "x"],
  ]);
});

it("footnotes of a shared page have a title of the product, and no links back that lead nowhere", () => {
  const nodes = nodesOf("One[^1].\n\n[^1]: Note.").filter((node) => node !== "\n");
  expect(nodes[0]).toEqual(["p", {}, "One", ["sup", {}, ["a", {}, "1"]], "."]);
  expect(JSON.stringify(nodes[1])).toMatch(
    /^\["section",{"class":"footnotes"},\["h2",{},\["phrase",{"key":"footnotes"}]]/,
  );
  expect(JSON.stringify(nodes)).not.toContain("↩");
});

it("words of the product in a shared page are phrases, and words of the text that are equal are text", () => {
  expect(nodesOf("> [!tip]\n> One")).toEqual([
    [
      "blockquote",
      { class: "alert" },
      "\n",
      ["p", {}, ["strong", {}, [PHRASE, { key: "tip" }]]],
      "\n",
      ["p", {}, "One"],
      "\n",
    ],
  ]);
  expect(nodesOf("**Tip** and Details")).toEqual([["p", {}, ["strong", {}, "Tip"], " and Details"]]);
  const written = ["> [!tip]\n> **Tip**", "<details><summary>Details</summary>x</details>"].flatMap(nodesOf);
  expect(JSON.stringify(written)).toMatch(/"key":"tip".*\["strong",\{\},"Tip"\].*\["summary",\{\},"Details"\]/);
  expect(JSON.stringify(nodesOf("```mermaid\ngraph TD\n```"))).toContain(
    '["figcaption",{},["phrase",{"key":"diagram"}]]',
  );
  expect(JSON.stringify(nodesOf('<phrase key="tip">x</phrase>'))).not.toContain('"key"');
});
