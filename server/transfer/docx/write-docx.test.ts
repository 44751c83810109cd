import { expect, it } from "vitest";
import { paragraphsWith, readDocx } from "../../../testing/files/read-docx.ts";
import { vectors } from "../../../testing/rendering/all.ts";
import { renderMarkdown } from "../html/render-markdown.ts";
import { weightOf } from "./docx-weight.ts";
import { writeDocx } from "./write-docx.ts";

const docxOf = async (html: string, title = "Fjords") =>
  readDocx(await writeDocx({ title, author: "Parley", html, pictures: new Map() }));

it("I1 a Word document links to the web and to mail only, and has no macros, fields or content from elsewhere", async () => {
  expect(vectors.length).toBeGreaterThan(500);
  const { text, relations, names } = await docxOf(
    vectors.map(({ text: markdown }) => renderMarkdown(markdown)).join("\n"),
  );
  const external = [...relations.values()].filter(({ isExternal }) => isExternal);
  expect(external.length).toBeGreaterThan(50);
  for (const { type, target } of external) {
    expect(type).toBe("hyperlink");
    expect(target).toMatch(/^(?:https?:\/\/|mailto:)/);
  }
  const kinds = [...relations.values()].filter(({ isExternal }) => !isExternal).map(({ type }) => type);
  expect(
    kinds.filter((type) => ["attachedTemplate", "oleObject", "package", "aFChunk", "subDocument"].includes(type)),
  ).toEqual([]);
  expect(names.filter((name) => /vba|embeddings|activeX|media/i.test(name))).toEqual([]);
  expect(text).not.toMatch(/w:instrText|w:fldSimple|w:altChunk|w:object|w:dde/i);
});

it.each([
  "\\sum_{i=1}^{n} i^2 = \\frac{n(n+1)}{2}",
  "\\int_0^1 \\sqrt[3]{x}\\,dx",
  "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
  "f(x) = \\begin{cases} 1 & x > 0 \\\\ 2 & y \\end{cases}",
  "\\hat{x} + \\overline{yz} + \\vec{v} + \\underbrace{u}_{w}",
  "\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}",
  "\\lim_{x \\to 7} \\binom{n}{k} \\boxed{q} \\cancel{p}",
  "\\ce{H2O + CO2 -> H2CO3}",
])("a formula is an equation of Word with all its letters: %s", async (formula) => {
  const html = renderMarkdown(`$$\n${formula}\n$$`);
  const { text } = await docxOf(html);
  const [equation = ""] = paragraphsWith({ text }, "<m:oMath>");
  const lettersOf = (xml: string) =>
    (xml.replaceAll(/<[^>]*>|&\w+;/g, "").match(/[a-z0-9]/gi) ?? []).toSorted().join("");
  expect(
    lettersOf(html.replace(/<annotation.*?<\/annotation>/s, "").replaceAll(/<mphantom>.*?<\/mphantom>/g, "")),
  ).toBe(lettersOf(equation.replaceAll(/<m:phant>.*?<\/m:phant>/g, "")));
});

it("a text that is no formula stays as it was written in a Word document", async () => {
  const { text } = await docxOf(renderMarkdown("an invalid $\\frac$"));
  expect(text).toContain("$\\frac$");
  expect(text).not.toContain("m:oMath");
});

it("a Word document has no characters that XML forbids, and no addresses that are too long for Word", async () => {
  const bad = "\u0000\u0008\u000b\u001f\ufffe\uffff\ud800";
  const long = `https://a.example/${"x".repeat(3000)}`;
  const docx = await docxOf(
    `<p>a${bad}b <a href="${long}">words</a> <a href="https://b.example/">c</a></p>`,
    `t${bad}`,
  );
  expect(docx.text).toContain(">a\ufffdb ");
  expect(docx.text).toContain("words");
  expect([...docx.relations.values()].filter(({ isExternal }) => isExternal).map(({ target }) => target)).toEqual([
    "https://b.example/",
  ]);
  expect(docx.core).toContain("<dc:title>t\ufffd</dc:title>");
});

it("the weight of HTML counts elements, lines, links, lists and characters", () => {
  expect(weightOf("")).toBe(0);
  expect(weightOf("<p>a</p>\n")).toBeCloseTo(2, 0);
  expect(weightOf('<a href="x">a</a>')).toBeCloseTo(2, 0);
  expect(weightOf("<ul><li>a</li></ul>")).toBeCloseTo(12, 0);
  expect(weightOf("a".repeat(2000))).toBe(10);
});
