import { describe, expect, it } from "vitest";
import { docxOf, runOf } from "../../../../../testing/files/documents.ts";
import { officeTypes } from "../../../media-type.ts";
import { MAX_TEXT_CHARS } from "../../document-text.ts";
import { readOfficeText } from "../office-text.ts";

const [DOCX] = officeTypes;
const textOf = (body: string, more: Record<string, string> = {}) => readOfficeText(docxOf(body, more), DOCX);

/** A paragraph. `properties`: XML in its `w:pPr`. */
const paragraph = (runs: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
const val = (name: string, value: string | number) => `<w:${name} w:val="${value}"/>`;
const item = (text: string, list: number, level = 0) =>
  paragraph(runOf(text), `<w:numPr>${val("ilvl", level)}${val("numId", list)}</w:numPr>`);
const styled = (text: string, style: string, more = "") => paragraph(runOf(text), val("pStyle", style) + more);

type LevelOptions = { format?: string; start?: number; more?: string };
const level = (at: number, label: string, { format = "decimal", start = 1, more = "" }: LevelOptions = {}) =>
  `<w:lvl w:ilvl="${at}">${val("start", start)}${val("numFmt", format)}${more}${val("lvlText", label)}</w:lvl>`;
const abstractList = (id: number, ...content: readonly string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${content.join("")}</w:abstractNum>`;
const list = (id: number, abstract: number, more = "") =>
  `<w:num w:numId="${id}">${val("abstractNumId", abstract)}${more}</w:num>`;
const numbering = (...content: readonly string[]) => ({
  "word/numbering.xml": `<w:numbering>${content.join("")}</w:numbering>`,
});
const styles = (...content: readonly string[]) => ({ "word/styles.xml": `<w:styles>${content.join("")}</w:styles>` });
const style = (id: string, content: string, kind = "paragraph") =>
  `<w:style w:type="${kind}" w:styleId="${id}">${content}</w:style>`;

describe("lists of Word documents", () => {
  const outline = abstractList(0, level(0, "%1."), level(1, "%1.%2."), level(2, "(%3)", { format: "lowerLetter" }));

  it("a Word document has the numbers of its clauses, whose deeper levels begin anew", async () => {
    const body = [item("A", 1), item("a", 1, 1), item("x", 1, 2), item("y", 1, 2), item("b", 1, 1), item("B", 1)];
    const text = await textOf([...body, item("c", 1, 1), item("z", 1, 2)].join(""), numbering(outline, list(1, 0)));
    expect(text).toBe("1. A\n1.1. a\n(a) x\n(b) y\n1.2. b\n2. B\n2.1. c\n(a) z");
  });

  it.each([
    ["upperLetter", 27, "AA)"],
    ["lowerLetter", 26, "z)"],
    ["lowerLetter", 2_000_000_000, "2000000000)"],
    ["upperRoman", 1994, "MCMXCIV)"],
    ["lowerRoman", 4, "iv)"],
    ["lowerRoman", 0, "0)"],
    ["decimalZero", 7, "07)"],
    ["ordinal", 22, "22nd)"],
    ["ordinal", 112, "112th)"],
    ["chineseCounting", 21, "二十一)"],
    ["chineseCounting", 105, "一百零五)"],
    ["japaneseCounting", 15, "十五)"],
    ["russianLower", 2, "б)"],
    ["hasOwnProperty", 3, "3)"],
  ])("a Word document has numbers of lists in the format %s", async (format, start, shown) => {
    const lists = numbering(abstractList(0, level(0, "%1)", { format, start })), list(1, 0));
    expect(await textOf(item("A", 1), lists)).toBe(`${shown} A`);
  });

  it("a Word document has bullets with the indentation of their level", async () => {
    const bullets = abstractList(0, level(0, "\uF0B7", { format: "bullet" }), level(1, "o", { format: "bullet" }));
    expect(await textOf(item("A", 1) + item("B", 1, 1), numbering(bullets, list(1, 0)))).toBe("- A\n  - B");
  });

  it("lists of a Word document count on, or begin anew where they say so", async () => {
    const again = `<w:lvlOverride w:ilvl="0">${val("startOverride", 5)}</w:lvlOverride>`;
    const other = `<w:lvlOverride w:ilvl="0">${level(0, "Annex %1:", { format: "upperRoman" })}</w:lvlOverride>`;
    const lists = numbering(outline, list(1, 0), list(2, 0), list(3, 0, again), list(4, 0, other));
    const body = item("a", 1) + item("b", 2) + item("c", 3) + item("d", 3) + item("e", 4) + item("none", 0);
    expect(await textOf(body, lists)).toBe("1. a\n2. b\n5. c\n6. d\nAnnex VII: e\nnone");
  });

  it("a level of a Word list may count on over the levels above, and be decimal for laws", async () => {
    const lists = numbering(
      abstractList(
        0,
        level(0, "Art. %1", { format: "upperRoman" }),
        level(1, "§ %1.%2", { more: `${val("lvlRestart", 0)}<w:isLgl/>` }),
      ),
      list(1, 0),
    );
    const body = item("A", 1) + item("a", 1, 1) + item("B", 1) + item("b", 1, 1);
    expect(await textOf(body, lists)).toBe("Art. I A\n§ 1.1 a\nArt. II B\n§ 2.2 b");
  });

  it("a Word document has numbers that styles bring, also by the level that names the style", async () => {
    const clause = style("Clause", `<w:pPr><w:numPr>${val("numId", 1)}</w:numPr></w:pPr>`);
    const sub = style("Sub", `<w:pPr><w:numPr>${val("numId", 1)}</w:numPr></w:pPr>`);
    const based = style("Based", val("basedOn", "Clause"));
    const lists = numbering(
      abstractList(0, level(0, "%1."), level(1, "%1.%2", { more: val("pStyle", "Sub") })),
      list(1, 0),
    );
    const off = styled("off", "Clause", `<w:numPr>${val("numId", 0)}</w:numPr>`);
    const body = styled("A", "Clause") + styled("a", "Sub") + styled("B", "Based") + off;
    expect(await textOf(body, { ...styles(clause, sub, based), ...lists })).toBe("1. A\n1.1 a\n2. B\noff");
  });

  it("a Word document has the numbers of a list that a style holds", async () => {
    const holder = style("Holder", `<w:pPr><w:numPr>${val("numId", 2)}</w:numPr></w:pPr>`, "numbering");
    const lists = numbering(
      abstractList(0, val("numStyleLink", "Holder")),
      abstractList(1, val("styleLink", "Holder"), level(0, "<%1>".replace("<", "&lt;").replace(">", "&gt;"))),
      list(1, 0),
      list(2, 1),
    );
    expect(await textOf(item("A", 1) + item("B", 2), { ...styles(holder), ...lists })).toBe("<1> A\n<2> B");
  });

  it("a Word document counts empty items of lists, but not deleted ones", async () => {
    const deleted = paragraph(
      `<w:del>${runOf("gone")}</w:del>`,
      `<w:numPr>${val("numId", 1)}</w:numPr><w:rPr><w:del w:id="1"/></w:rPr>`,
    );
    const body = item("A", 1) + deleted + item("", 1) + item("B", 1);
    expect(await textOf(body, numbering(outline, list(1, 0)))).toBe("1. A\n3. B");
  });

  it("numbers lists decimally in a Word document that does not describe them", async () => {
    expect(await textOf(item("A", 7) + item("a", 7, 1) + item("B", 7))).toBe("1. A\n1. a\n2. B");
  });
});

describe("marks of Word documents", () => {
  it("a Word document has headings by the outline of their styles, and as in Markdown", async () => {
    const outline = (at: number) => `<w:pPr>${val("outlineLvl", at)}</w:pPr>`;
    const all = styles(
      style("berschrift1", val("name", "heading 1")),
      style("Own", val("basedOn", "berschrift1")),
      style("Deep", outline(7)),
      style("Body", outline(9)),
      style("T", val("name", "Title")),
    );
    const cell = `<w:tbl><w:tr><w:tc>${styled("cell", "Deep")}</w:tc></w:tr></w:tbl>`;
    const body = ["T", "berschrift1", "Own", "Deep", "Body"].map((id) => styled(id, id)).join("");
    const direct = paragraph(runOf("direct"), val("outlineLvl", 1));
    expect(await textOf(body + direct + cell, all)).toBe(
      "# T\n# berschrift1\n# Own\n###### Deep\nBody\n## direct\ncell",
    );
    expect(await textOf(styled("A", "Heading2") + styled("", "Heading1"))).toBe("## A");
  });

  it("a Word document has the targets of links behind their texts", async () => {
    const target = (id: string, address: string) =>
      `<Relationship Id="${id}" Type="x/hyperlink" Target="${address}" TargetMode="External"/>`;
    const addresses = ["https://a.example/?x=1&amp;y=2", "mailto:ada@example.org", `data:${"x".repeat(3000)}`];
    const rels = `<Relationships>${addresses.map((address, at) => target(`r${at}`, address)).join("")}</Relationships>`;
    const link = (id: string, text: string) => `<w:hyperlink r:id="${id}">${runOf(text)}</w:hyperlink>`;
    const inside = `<w:hyperlink w:anchor="place">${runOf("inside")}</w:hyperlink>`;
    const body = [link("r0", "Ours"), link("r1", "ada@example.org"), link("r2", "data"), inside].map((runs) =>
      paragraph(runs),
    );
    const text = await textOf(body.join(""), { "word/_rels/document.xml.rels": rels });
    expect(text).toBe("Ours (https://a.example/?x=1&y=2)\nada@example.org\ndata\ninside");
  });

  it("a Word document has the targets of fields that are links, and the results of other fields", async () => {
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const field = (code: string, result: string) =>
      `${char("begin")}<w:r><w:instrText>${code}</w:instrText></w:r>${char("separate")}${result}${char("end")}`;
    const inner = field(" PAGEREF x ", runOf("7"));
    const body = [
      field(` HYPERLINK "https://a.example" \\o "tip" `, runOf("quoted")),
      field("HYPERLINK https://b.example", runOf("plain")),
      field(` HYPERLINK \\l "place" `, runOf("place ") + inner),
      `<w:fldSimple w:instr=' HYPERLINK "https://c.example" '>${runOf("simple")}</w:fldSimple>`,
      field("DATE", runOf("3 May")),
    ];
    expect(await textOf(body.map((runs) => paragraph(runs)).join(""))).toBe(
      "quoted (https://a.example)\nplain (https://b.example)\nplace 7\nsimple (https://c.example)\n3 May",
    );
  });

  it("results of fields within the code of another are not shown, and a field without its end hides no paragraph", async () => {
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const code = (words: string) => `<w:r><w:instrText>${words}</w:instrText></w:r>`;
    const inner = `${char("begin")}${code("MERGEFIELD Sex")}${char("separate")}${runOf("female")}${char("end")}`;
    const greeting = `${code("IF ")}${inner}${code(' = "male" "Mr" "Ms"')}${char("separate")}${runOf("Ms")}`;
    const body = [
      `${runOf("Dear ")}${char("begin")}${greeting}${char("end")}${runOf(" Smith")}`,
      char("begin"),
      runOf("Next"),
    ];
    expect(await textOf(body.map((runs) => paragraph(runs)).join(""))).toBe("Dear Ms Smith\nNext");
  });

  it("a Word document has characters of symbol fonts as those of Unicode, or their names", async () => {
    const symbol = (font: string, code: string) => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`;
    const fonts: readonly (readonly [string, string])[] = [
      ...([
        ["Wingdings", "F0FE"],
        ["Wingdings", "F0A8"],
        ["Wingdings", "F0FC"],
        ["Wingdings 2", "F052"],
      ] as const),
      ...([
        ["Symbol", "F061"],
        ["Symbol", "F0A3"],
        ["Symbol", "00B7"],
        ["Arial", "F041"],
        ["Arial", "00E9"],
      ] as const),
      ["Webdings", "F061"],
      ["Symbol", "F0F2"],
      ["Webdings", "F0A1"],
    ];
    const runs = fonts.map(([font, code]) => symbol(font, code)).join("");
    const inText = `<w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uF06D\uF0B3</w:t></w:r>`;
    expect(await textOf(paragraph(runs + inText))).toBe("☑◻✓☑α≤•Aé✔∫[Webdings A1]μ≥");
  });

  it("a Word document has descriptions of pictures and drawings", async () => {
    const drawing = (description: string) =>
      `<w:r><w:drawing><wp:docPr id="1" name="Picture 1" ${description}/></w:drawing></w:r>`;
    const body =
      paragraph(runOf("See") + drawing('descr="A  fjord&#10;at dawn"') + runOf("there")) + paragraph(drawing(""));
    const old = paragraph(`<w:r><w:pict><v:shape alt="Old one"/></w:pict></w:r>`);
    expect(await textOf(body + old)).toBe("See [Picture: A fjord at dawn] there\n[Picture: Old one]");
  });

  it("a Word document has no hidden text, whether the run or a style hides it", async () => {
    const run = (properties: string, text: string) =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t><w:tab/></w:r>`;
    const vanish = "<w:rPr><w:vanish/></w:rPr>";
    const all = styles(style("Hid", vanish), style("Ghost", vanish, "character"), style("Sub", val("basedOn", "Hid")));
    const inPlain = paragraph(
      run("<w:vanish/>", "a") + run(val("rStyle", "Ghost"), "b") + run('<w:vanish w:val="0"/>', "c") + runOf("d"),
    );
    const inHidden = ["Hid", "Sub"].map((id) =>
      paragraph(
        runOf("e") + run('<w:vanish w:val="false"/>', "f") + run(val("rStyle", "Ghost"), "g"),
        val("pStyle", id),
      ),
    );
    expect(await textOf(inPlain + inHidden.join(""), all)).toBe("c\td\nf\tg\nf\tg");
  });

  it("a Word document has its comments behind the text that they are about, with their authors", async () => {
    const comments = `<w:comments><w:comment w:id="4" w:author="Ann">${paragraph(runOf("Why?"))}${paragraph(runOf("Tell"))}</w:comment><w:comment w:id="5" w:author="Bo">${paragraph("")}</w:comment></w:comments>`;
    const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`;
    const body = paragraph(`${runOf("One")}${reference(4)}${reference(5)}${reference(6)}${runOf(" two")}`);
    const text = await textOf(body, { "word/comments.xml": comments });
    expect(text).toBe("One [Comment: Ann: Why? Tell] two");
  });

  it("a Word document has a table in a cell in brackets", async () => {
    const cell = (content: string) => `<w:tc>${content}</w:tc>`;
    const plain = (text: string) => cell(paragraph(runOf(text)));
    const table = (...rows: readonly string[]) =>
      `<w:tbl>${rows.map((cells) => `<w:tr>${cells}</w:tr>`).join("")}</w:tbl>`;
    const deep = table(plain("x") + plain("y"));
    const inner = table(plain("1") + plain("2"), plain("3") + cell(paragraph(runOf("4")) + deep));
    const outer = table(plain("a") + cell(paragraph(runOf("b")) + inner + paragraph("")) + plain("c"), plain("d"));
    expect(await textOf(outer)).toBe("a\tb [1 | 2; 3 | 4 [x | y]]\tc\nd");
  });
});

it("reads a Word document whose styles, lists, comments and charts are damaged, as far as they are whole", async () => {
  const cut = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, `${xml.slice(0, xml.lastIndexOf("</"))}<w:`]));
  const heading = styles(style("H", `<w:pPr>${val("outlineLvl", 0)}</w:pPr>`));
  const lists = numbering(abstractList(0, level(0, "%1)")), list(1, 0));
  const more = cut({ ...heading, ...lists, "word/comments.xml": "<w:comments></w:comments>" });
  expect(await textOf(styled("A", "H") + item("B", 1), more)).toBe("# A\n1) B");
});

describe("hostile Word documents", () => {
  const nested = (element: string, times: number) => `<${element}>`.repeat(times);

  it.each(["w:p", "w:tbl", "w:tc", "w:hyperlink", "w:pPr"])("M4 reads %s that is nested 25,000 times", async (name) => {
    const text = await textOf(
      `${nested(name, 25_000)}${runOf("deep")}${nested(`/${name}`, 25_000)}${paragraph(runOf("end"))}`,
    );
    expect(text.endsWith("end")).toBe(true);
  });

  it("M4 reads styles that are based on themselves, and lists that are linked in a circle", async () => {
    const round = styles(style("A", val("basedOn", "B")), style("B", val("basedOn", "A")));
    const lists = numbering(abstractList(0, val("numStyleLink", "A"), val("styleLink", "A")), list(1, 0));
    expect(await textOf(styled("a", "A") + item("b", 1), { ...round, ...lists })).toBe("a\nb");
  });

  it("M4 a Word document that names one long comment often ends at the limit of text", async () => {
    const comment = `<w:comment w:id="1" w:author="Ann">${paragraph(runOf("c".repeat(100_000)))}</w:comment>`;
    const body = paragraph(`<w:r><w:commentReference w:id="1"/></w:r>`.repeat(10_000));
    const text = await textOf(body, { "word/comments.xml": comment });
    expect(text.length).toBeLessThan(MAX_TEXT_CHARS + 100_200);
  });

  it.each(["-1", "NaN", "1e9", ""])("M4 reads an item of a list at level %s", async (at) => {
    const lists = numbering(abstractList(0, level(0, "%1.")), list(1, 0));
    const body = paragraph(runOf("A"), `<w:numPr>${val("ilvl", at)}${val("numId", 1)}</w:numPr>`);
    expect(await textOf(body, lists)).toMatch(/A$/);
  });
});
