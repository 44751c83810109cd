import { describe, expect, it } from "vitest";
import { odtOf, openDocumentOf, withFiles } from "../../../../../testing/files/documents.ts";
import { officeTypes } from "../../../media-type.ts";
import { MAX_TEXT_CHARS } from "../../document-text.ts";
import { readOfficeText } from "../office-text.ts";

const [, , , ODT] = officeTypes;
type Options = { styles?: string; more?: Record<string, string> };
const textOf = (body: string, { styles = "", more = {} }: Options = {}) =>
  readOfficeText(withFiles(openDocumentOf("text", `<office:text>${body}</office:text>`, { styles }), more), ODT);

const paragraph = (content: string, attributes = "") => `<text:p ${attributes}>${content}</text:p>`;
const item = (content: string, attributes = "") => `<text:list-item ${attributes}>${content}</text:list-item>`;
const list = (items: string, attributes = 'text:style-name="L"') => `<text:list ${attributes}>${items}</text:list>`;
const level = (at: number, attributes: string, kind = "number") =>
  `<text:list-level-style-${kind} text:level="${at}" ${attributes}/>`;
const listStyle = (...levels: readonly string[]) =>
  `<text:list-style style:name="L">${levels.join("")}</text:list-style>`;

describe("lists of OpenDocument texts", () => {
  const clauses = listStyle(
    level(1, 'style:num-format="1" style:num-suffix="."'),
    level(2, 'style:num-format="1" style:num-suffix="." text:display-levels="2"'),
    level(3, 'style:num-format="a" style:num-prefix="(" style:num-suffix=")"'),
    level(4, "", "bullet"),
  );

  it("an OpenDocument text has the numbers of its lists, whose deeper levels begin anew", async () => {
    const deepest = list(item(paragraph("x") + paragraph("more")) + item(list(item(paragraph("dot"))), ""), "");
    const first = item(paragraph("A") + list(item(paragraph("a") + deepest) + item(paragraph("b")), ""));
    const second = item(paragraph("B") + list(item(paragraph("c")), ""));
    const text = await textOf(list(first + second), { styles: clauses });
    expect(text).toBe("1. A\n1.1. a\n(a) x\nmore\n      - dot\n1.2. b\n2. B\n2.1. c");
  });

  it("a list of an OpenDocument text begins anew, continues another, or starts where it says", async () => {
    const one = (text: string, attributes = "") => list(item(paragraph(text)), `text:style-name="L" ${attributes}`);
    const wrapped = list(item(list(item(paragraph("deep")), "")), 'text:style-name="L" text:continue-numbering="true"');
    const body = [
      one("A", 'xml:id="l1"') + wrapped + wrapped,
      one("B"),
      one("C", 'text:continue-numbering="true"'),
      one("D", 'text:continue-list="l1"'),
      list(item(paragraph("E"), 'text:start-value="7"') + item(paragraph("F"))),
      list(`<text:list-header>${paragraph("Head")}</text:list-header>${item(paragraph("G"))}`),
    ];
    expect(await textOf(body.join(""), { styles: clauses })).toBe(
      "1. A\n1.1. deep\n1.2. deep\n1. B\n2. C\n2. D\n7. E\n8. F\nHead\n1. G",
    );
  });

  it.each([
    ['style:num-format="I" text:start-value="4"', "IV"],
    ['style:num-format="A" style:num-suffix=")"', "A)"],
    ['style:num-format="" style:num-prefix="§"', "§"],
    ['style:num-format="1" style:num-list-format="Art. %1%:"', "Art. 1:"],
    ['style:num-format="1" text:display-levels="1000000000"', "1"],
    ['style:num-format="?" text:start-value="1e99"', "1e+99"],
  ])("an OpenDocument text has the numbers of a list with the level %s", async (attributes, shown) => {
    const text = await textOf(list(item(paragraph("x"))), { styles: listStyle(level(1, attributes)) });
    expect(text).toBe(`${shown} x`);
  });

  it("an OpenDocument text has headings as in Markdown, with the numbers of its outline", async () => {
    const outline = [1, 2].map(
      (at) => `<text:outline-level-style text:level="${at}" style:num-format="1" text:display-levels="${at}"/>`,
    );
    const styles = `<text:outline-style style:name="Outline">${outline.join("")}</text:outline-style>`;
    const heading = (at: number, text: string) => `<text:h text:outline-level="${at}">${text}</text:h>`;
    const body = heading(1, "A") + heading(2, "a") + heading(2, "b") + heading(1, "B") + heading(3, "plain");
    const more = { "styles.xml": `<office:document-styles>${styles}</office:document-styles>` };
    expect(await textOf(body, { more })).toBe("# 1 A\n## 1.1 a\n## 1.2 b\n# 2 B\n### plain");
  });
});

describe("marks of OpenDocument texts", () => {
  it("an OpenDocument text has the targets of links, also beside notes", async () => {
    const link = (target: string, text: string) => `<text:a xlink:href="${target}">${text}</text:a>`;
    const body = [
      link("https://a.example/?x=1&amp;y=2", "our <text:span>page</text:span>"),
      link("mailto:ada@example.org", "ada@example.org"),
      link("#place", "inside"),
    ];
    expect(await textOf(body.map((content) => paragraph(content)).join(""))).toBe(
      "our page (https://a.example/?x=1&y=2)\nada@example.org\ninside",
    );
  });

  it("an OpenDocument text has comments behind the text that they are about", async () => {
    const comment = (name: string, words: string) =>
      `<office:annotation ${name}><dc:creator>Ann</dc:creator><dc:date>2026-01-01</dc:date>${paragraph(words)}${paragraph("2")}</office:annotation>`;
    const named = comment('office:name="n"', "Why?");
    const end = '<office:annotation-end office:name="n"/>';
    const body =
      paragraph(`One ${named}two${end} three`) + paragraph(`${named}four`) + paragraph(`five${comment("", "Now")} six`);
    expect(await textOf(body)).toBe(
      "One two [Comment: Ann: Why? 2] three\nfour [Comment: Ann: Why? 2]\nfive [Comment: Ann: Now 2] six",
    );
  });

  it("an OpenDocument text has its headers above the text and its footers below, each once", async () => {
    const margin = (name: string, content: string, attributes = "") =>
      `<style:${name} ${attributes}>${content}</style:${name}>`;
    const pages = [
      margin("header", paragraph("Invoice 4711")) + margin("footer", paragraph("IBAN DE89")),
      margin("header", paragraph("Invoice 4711")) +
        margin("footer-left", paragraph("<text:page-number>7</text:page-number>")),
      margin("header-first", paragraph("off"), 'style:display="false"'),
    ];
    const styles = `<office:master-styles>${pages.map((page) => `<style:master-page>${page}</style:master-page>`).join("")}</office:master-styles>`;
    const text = await textOf(paragraph("Dear"), { more: { "styles.xml": styles } });
    expect(text).toBe("[Header]\nInvoice 4711\n\nDear\n[Footer]\nIBAN DE89");
  });

  it("an OpenDocument text has descriptions of pictures, and no hidden text", async () => {
    const styles = '<style:style style:name="T"><style:text-properties text:display="none"/></style:style>';
    const frame = "<draw:frame><draw:image/><svg:title>Map</svg:title><svg:desc>A  fjord</svg:desc></draw:frame>";
    const hidden = '<text:span text:style-name="T">hidden<text:span>too</text:span></text:span>';
    const section = `<text:section text:display="none">${paragraph("gone")}</text:section>`;
    const body = `${section}${frame}${paragraph(`One${frame}two${hidden}`)}${paragraph("no", 'text:style-name="T"')}`;
    expect(await textOf(body, { styles })).toBe(
      "[Picture: Map]\n[Picture: A fjord]\nOne [Picture: Map] [Picture: A fjord] two",
    );
  });
});

describe("tables of OpenDocument texts", () => {
  const cell = (content: string, attributes = "") => `<table:table-cell ${attributes}>${content}</table:table-cell>`;
  const row = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`;
  const table = (rows: string) => `<table:table>${rows}</table:table>`;
  const columns = (times: number) => `table:number-columns-repeated="${times}"`;
  const rows = (times: number) => `table:number-rows-repeated="${times}"`;

  it("an OpenDocument text has repeated cells and rows", async () => {
    const cells = cell("", columns(2)) + cell(paragraph("rep"), columns(2)) + cell(paragraph("end"));
    expect(await textOf(paragraph("x") + table(row(cells, rows(2)) + row(cell("", columns(9)), rows(9))))).toBe(
      "x\n\t\trep\trep\tend\n\t\trep\trep\tend",
    );
  });

  it("an OpenDocument text has a table in a cell in brackets, also with repeated cells", async () => {
    const inner = table(
      row(cell(paragraph("1"), columns(2)) + cell(paragraph("2"))) + row(cell(paragraph("3")), rows(2)),
    );
    const covered = "<table:covered-table-cell/>";
    const body = table(row(cell(paragraph("a")) + covered + cell(paragraph("b") + inner) + cell(paragraph("c"))));
    expect(await textOf(body)).toBe("a\t\tb [1 | 1 | 2; 3; 3]\tc");
  });

  it("M4 an OpenDocument text whose cells repeat a billion times ends at the limit of text", async () => {
    const deep = (times: number): string =>
      times === 0 ? paragraph("abc") : table(row(cell(deep(times - 1), columns(1e9)), rows(1e9)));
    const text = await textOf(deep(70));
    expect(text.length).toBeGreaterThan(MAX_TEXT_CHARS);
    expect(text.length).toBeLessThan(4 * MAX_TEXT_CHARS);
    expect(await textOf(table(row(cell("", columns(1e9)), rows(1e9))) + paragraph("end"))).toBe("end");
  });

  it.each(["text:list", "text:p", "text:a", "text:span", "table:table-cell", "office:annotation"])(
    "M4 reads %s that is nested 25,000 times",
    async (name) => {
      const body = `${`<${name}>`.repeat(25_000)}deep${`</${name}>`.repeat(25_000)}${paragraph("end")}`;
      expect(await readOfficeText(odtOf(body), ODT)).toMatch(/end$/);
    },
  );
});
