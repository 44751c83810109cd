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

/** Returns the XML of the only equation of a formula. */
async function equationOf(formula: string): Promise<string> {
  const { text } = await docxOf(renderMarkdown(`words \\(${formula}\\) around it`));
  const equations = text.match(/<m:oMath>.*<\/m:oMath>/gs) ?? [];
  expect(equations).toHaveLength(1);
  return equations[0] ?? "";
}

it("a chemical formula in a Word document has no invisible letters, and no empty limit at its arrow", async () => {
  const equation = await equationOf("\\ce{2H2 + O2 -> 2H2O + ^{227}_{90}Th+}");
  expect(equation).not.toMatch(/m:phant|m:lim|<m:t>X</);
  expect(equation.match(/<m:e><m:r><m:t xml:space="preserve">\u200b<\/m:t><\/m:r><\/m:e><m:sub>/g)).toHaveLength(4);
  expect(equation).toContain("<m:t>→</m:t>");
});

it("a phantom of a formula keeps its room in a Word document", async () => {
  expect(await equationOf("a \\phantom{xyz} b")).toContain("<m:phant>");
});

it.each([
  ["\\begin{aligned} a &= b \\\\ &= c \\end{aligned}", 2],
  ["\\left\\{ \\begin{aligned} x &= 1 & y &= 2 \\\\ z &= 3 \\end{aligned} \\right.", 4],
])(
  "aligned equations are rows of a matrix in a Word document, with something in each cell: %s",
  async (formula, columns) => {
    const equation = await equationOf(formula);
    expect(equation).not.toMatch(/m:eqArr|&amp;|<m:e\/>/);
    const rows = equation.match(/<m:mr>.*?<\/m:mr>/g) ?? [];
    expect(rows.map((row) => row.split("<m:e>").length - 1)).toEqual([columns, columns]);
    expect(equation).toMatch(/<m:mcJc m:val="right"\/>.*<m:mcJc m:val="left"\/>/);
  },
);

it("a formula in a Word document has an operand beside each operator, and brackets without a counterpart as text", async () => {
  const plain = (text: string) => `<m:r><m:rPr><m:nor m:val="1"/></m:rPr><m:t xml:space="preserve">${text}</m:t></m:r>`;
  const nothing = '<m:r><m:t xml:space="preserve">\u200b</m:t></m:r>';
  expect(await equationOf("x^{n+}")).toContain(`n+</m:t></m:r>${nothing}</m:sup>`);
  expect(await equationOf("= x")).toContain(`<m:oMath>${nothing}`);
  expect(await equationOf("|x|")).toContain(`${plain("|")}<m:r><m:t xml:space="preserve">x</m:t></m:r>${plain("|")}`);
  const interval = await equationOf("[0, 1) + (2)");
  expect([interval.includes(plain("[")), interval.includes(plain(")")), interval.includes("(2)")]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await equationOf("\\mathbb{R}")).toContain(">ℝ<");
});

it("an equation in a paragraph of its own is one of Word's, and one in a line, an item or a cell is not", async () => {
  const formula = "$$\n\\frac{1}{2}\n$$";
  const { text } = await docxOf(
    renderMarkdown(`${formula}\n\n- $$a$$\n\nin $$b$$ line\n\n| $$c$$ |\n|---|\n| $$d$$ |`),
  );
  expect(text.match(/<m:oMathPara>/g)).toHaveLength(1);
  expect(text).toMatch(/<m:oMathPara><m:oMath><m:f>/);
  expect(text.match(/<m:oMath>/g)).toHaveLength(5);
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

const indentOf = (paragraph: string): number => Number(/<w:ind w:left="(\d+)"/.exec(paragraph)?.[1] ?? 0);

it("quotes in quotes are indented by their depth in a Word document, with all that is in them", async () => {
  const quotes = "> one\n>\n> > two\n> >\n> > > three\n>\n> - item\n>\n> ```\n> code\n> ```\n>\n> # Heading\n\noutside";
  const docx = await docxOf(renderMarkdown(quotes));
  const indents = ["one", "two", "three", "code", "Heading", "outside"].map((words) =>
    indentOf(paragraphsWith(docx, `>${words}<`)[0] ?? ""),
  );
  expect(indents).toEqual([285, 570, 855, 285, 285, 0]);
  expect(indentOf(paragraphsWith(docx, ">item<")[0] ?? "")).toBe(720 + 285);
  for (const words of ["one", "two", "three"]) {
    expect(paragraphsWith(docx, `>${words}<`)[0]).toContain('<w:pStyle w:val="Quotation"/>');
  }
});

it("quotes that are nested deeply stay on the page", async () => {
  const { text } = await docxOf(renderMarkdown(`${"> ".repeat(60)}deep`));
  const [paragraph = ""] = paragraphsWith({ text }, ">deep<");
  expect(indentOf(paragraph)).toBeGreaterThan(4000);
  expect(indentOf(paragraph)).toBeLessThan(6500);
});

it("a quote in Arabic has its bar on the right, and an alert one of its own", async () => {
  const docx = await docxOf(renderMarkdown("> مرحبا بالعالم\n\n> [!NOTE]\n> Deep water"));
  expect(paragraphsWith(docx, "مرحبا")[0]).toContain('<w:pStyle w:val="RightToLeftQuotation"/>');
  expect(paragraphsWith(docx, "Deep water")[0]).toContain('<w:pStyle w:val="Alert"/>');
  expect(docx.styles).toMatch(/w:styleId="RightToLeftQuotation".*?<w:left w:val="none".*?<w:right w:val="single"/);
});

it("tables, quotes and blocks of code that follow each other stay apart in a Word document", async () => {
  const table = "| a |\n|---|\n| b |\n\n";
  const { text } = await docxOf(
    renderMarkdown(`${table}${table}\`\`\`\none\n\`\`\`\n\n\`\`\`\ntwo\n\`\`\`\n\n> [!NOTE]\n> a\n\n> [!TIP]\n> b`),
  );
  const gap = '<w:p><w:pPr><w:pStyle w:val="Gap"/></w:pPr></w:p>';
  expect(text).toContain(`</w:tbl>${gap}<w:tbl>`);
  expect(text).not.toContain("</w:tbl><w:tbl>");
  expect(text).toMatch(new RegExp(`one</w:t></w:r></w:p>${gap}<w:p><w:pPr><w:pStyle w:val="Code"/>`));
  expect(text.split(gap)).toHaveLength(5);
});

it("a table of a Word document is as wide as its text, with columns by their words, and a shaded header at its side", async () => {
  const { text } = await docxOf(
    renderMarkdown(
      "| Short | Long |\n|---|---|\n| a | many words that have to be wrapped, so that this column is wider |",
    ),
  );
  const widths = Array.from(text.matchAll(/<w:gridCol w:w="(\d+)"\/>/g), ([, width]) => Number(width));
  expect(widths).toHaveLength(2);
  expect(widths[1]).toBeGreaterThan(4 * (widths[0] ?? 0));
  expect(widths[0]).toBeGreaterThan(700);
  expect(text).toMatch(/<w:tblW w:type="dxa" w:w="9015"\/>/);
  expect(text).toMatch(/<w:shd [^>]*w:fill="F5F3EF"[^>]*\/>.*?<w:jc w:val="start"\/>.*?Short/);
  expect(text).toContain('<w:insideH w:val="single" w:color="BDB7AD" w:sz="4"/>');
  expect(text.match(/<w:pStyle w:val="Cell"\/>/g)).toHaveLength(4);
});

it("a table in a quote is no wider than the room that is left", async () => {
  const { text } = await docxOf(renderMarkdown("> > | a |\n> > |---|\n> > | b |"));
  const [, indent, width] = /<w:tblW w:type="dxa" w:w="(\d+)"\/>/.exec(text) ?? [];
  expect(Number(width ?? indent)).toBe(9015 - 570);
  expect(text).toMatch(/<w:tblInd w:type="dxa" w:w="570"\/>/);
});

it("items of a list are close to each other in a Word document, and those with paragraphs are not", async () => {
  const docx = await docxOf(renderMarkdown("- tight\n- last\n\nwords\n\n1. loose\n\n2. end"));
  expect(paragraphsWith(docx, ">tight<")[0]).not.toContain("w:spacing");
  for (const words of ["last", "loose", "end"]) {
    expect(paragraphsWith(docx, `>${words}<`)[0]).toMatch(/<w:spacing w:after="\d+"\/>/);
  }
});

it("tasks have a checkbox in a Word document, and no bullet", async () => {
  const docx = await docxOf(renderMarkdown("- [x] done\n- [ ] open"));
  const number = /<w:numId w:val="(\d+)"\/>/.exec(paragraphsWith(docx, "open")[0] ?? "")?.[1];
  const abstract = new RegExp(`<w:num w:numId="${number}".*?<w:abstractNumId w:val="(\\d+)"/>`).exec(
    docx.numbering,
  )?.[1];
  const levels = new RegExp(`<w:abstractNum w:abstractNumId="${abstract}".*?</w:abstractNum>`).exec(
    docx.numbering,
  )?.[0];
  expect(/w:ilvl="0".*?<\/w:lvl>/.exec(levels ?? "")?.[0]).not.toContain("w:lvlText");
});

it("pictures and equations have their height in a Word document, and headings their level", async () => {
  const { styles } = await docxOf("<p>a</p>");
  expect(styles).toMatch(/<w:pPrDefault>.*w:line="264" w:lineRule="auto".*<\/w:pPrDefault>/);
  expect(styles).toMatch(/w:styleId="Heading2".*?<w:keepNext\/>.*?<w:outlineLvl w:val="1"\/>/);
});

it("a footnote of a Word document has no arrow that leads nowhere", async () => {
  const { text } = await docxOf(renderMarkdown("a[^1]\n\n[^1]: The note"));
  expect(text).toContain("The note");
  expect(text).not.toContain("↩");
});

it("the weight of HTML counts elements, lines, links, lists and characters", () => {
  expect(weightOf("")).toBe(0);
  expect(weightOf("<p>a</p>\n")).toBeCloseTo(2, 0);
  expect(weightOf('<a href="x">a</a>')).toBeCloseTo(2, 0);
  expect(weightOf("<ul><li>a</li></ul>")).toBeCloseTo(12, 0);
  expect(weightOf("a".repeat(2000))).toBe(10);
});
