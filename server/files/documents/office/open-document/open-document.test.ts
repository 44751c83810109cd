import { expect, it } from "vitest";
import { bufferSource } from "../../../../../testing/files/buffer-source.ts";
import { openDocumentOf, withFiles } from "../../../../../testing/files/documents.ts";
import { mediaTypeOf } from "../../../media-type.ts";
import { MAX_TEXT_CHARS } from "../../document-text.ts";
import { readOfficeText } from "../office-text.ts";

const read = async (bytes: Uint8Array) => {
  const type = await mediaTypeOf(bufferSource(Buffer.from(bytes)), "file");
  return readOfficeText(bytes, type ?? "none");
};
const sheets = (tables: string, styles = "") =>
  read(openDocumentOf("spreadsheet", `<office:spreadsheet>${tables}</office:spreadsheet>`, { styles }));
const cell = (content: string, attributes = "") =>
  `<table:table-cell ${attributes}>${content === "" ? "" : `<text:p>${content}</text:p>`}</table:table-cell>`;
const row = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`;
const table = (name: string, rows: string, style = "a") =>
  `<table:table table:name="${name}" table:style-name="${style}">\n${rows}</table:table>`;

it("an OpenDocument spreadsheet is CSV as it is shown, below the names of its sheets", async () => {
  const first = row(
    cell("36:00", 'office:value-type="time" office:time-value="PT36H"') +
      cell("$1,234.50", 'office:value-type="currency" office:value="1234.5"') +
      cell('a "b"</text:p><text:p>c<text:s/>d'),
  );
  const second = row(cell("", 'table:number-columns-repeated="2"') + cell("#DIV/0!", 'table:formula="of:=1/0"'));
  const formula = row(
    cell("", 'table:formula="of:=SUM(1;2)"') + cell("", 'office:value-type="string" table:formula="x"'),
  );
  const hidden = `<style:style style:name="h"><style:table-properties table:display="false"/></style:style>`;
  const text = await sheets(table("S", first + second + formula) + table("T &amp; U", row(cell("7")), "h"), hidden);
  expect(text).toBe('# S\n36:00,"$1,234.50","a ""b""\nc d"\n,,#DIV/0!\n=SUM(1;2)\n\n# T & U (hidden)\n7');
});

it("an OpenDocument spreadsheet has the blanks between spans, and results without a text", async () => {
  const spans = cell("<text:span>Total</text:span> <text:span>net</text:span>");
  const value = cell("", 'office:value-type="float" office:value="42"');
  expect(await sheets(table("S", row(spans + value)))).toBe("# S\nTotal net,42");
});

it("an OpenDocument spreadsheet has repeated cells and rows, and one empty row for several", async () => {
  const repeated = row(cell("x", 'table:number-columns-repeated="3"'), 'table:number-rows-repeated="2"');
  const empty = row(cell("", 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"');
  expect(await sheets(table("S", repeated + empty + row(cell("y")) + empty))).toBe("# S\nx,x,x\nx,x,x\n\ny");
});

it("M4 an OpenDocument spreadsheet whose cells repeat a billion times ends at the limit of text", async () => {
  const times = (what: string) => `table:number-${what}-repeated="1000000000"`;
  const text = await sheets(table("S", row(cell("abc".repeat(100), times("columns")), times("rows"))));
  expect(text.length).toBeGreaterThan(MAX_TEXT_CHARS);
  expect(text.length).toBeLessThan(3 * MAX_TEXT_CHARS);
});

it("an OpenDocument presentation has its slides in their order, followed by their notes", async () => {
  const notes = (text: string) => `<presentation:notes><text:p>${text}</text:p></presentation:notes>`;
  const slides = `<draw:page><text:p>One</text:p><text:p>more</text:p>${notes("Smile")}</draw:page><draw:page><text:p>Two</text:p>${notes("")}</draw:page>`;
  const text = await read(openDocumentOf("presentation", `<office:presentation>${slides}</office:presentation>`));
  expect(text).toBe("[Slide 1]\nOne\nmore\n[Notes]\nSmile\n\n[Slide 2]\nTwo");
});

it("an OpenDocument spreadsheet has the comments of a sheet below its cells, and targets of links", async () => {
  const comment = (words: string) =>
    `<office:annotation><dc:creator>Ann</dc:creator><text:p>${words}</text:p><text:p>2</text:p></office:annotation>`;
  const withComment = (shown: string, words: string) =>
    `<table:table-cell>${comment(words)}<text:p>${shown}</text:p></table:table-cell>`;
  const link = cell('<text:a xlink:href="https://a.example">our page</text:a>');
  const first = row(
    withComment("a", "Why?") + cell("", 'table:number-columns-repeated="26"') + withComment("z", "Far"),
  );
  const empty = row(cell(""), 'table:number-rows-repeated="8"');
  const text = await sheets(
    table("S", first + empty + row(withComment("b", "Low") + link)) + table("T", row(cell("7"))),
  );
  expect(text).toBe(
    `# S\na${",".repeat(27)}z\n\nb,our page (https://a.example)\n[Comments]\nA1: Why? 2\nAB1: Far 2\nA10: Low 2\n\n# T\n7`,
  );
});

const value = (shown: string) =>
  `<table:table-cell office:value="${shown}"><text:p>${shown}</text:p></table:table-cell>`;
const chart = `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Sales by</text:p><text:p>region</text:p></chart:title><chart:plot-area><chart:axis><chart:title><text:p>Axis</text:p></chart:title></chart:axis></chart:plot-area><table:table table:name="local-table"><table:table-header-rows><table:table-row>${cell("")}${cell("2019")}${cell("2020")}</table:table-row></table:table-header-rows><table:table-rows>${row(cell("North") + value("0.25") + value("4711"))}${row(cell("South") + value("7") + value("NaN"))}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document-content>`;
const CHART = "[Chart: Sales by region]\n\t2019\t2020\nNorth\t0.25\t4711\nSouth\t7";
const object = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>';
const charts = { "Object 1/content.xml": chart };

it.each([
  ["text", `<text:p>One${object}two</text:p>`, `One\n${CHART}\ntwo`],
  ["presentation", `<draw:page><text:p>One</text:p>${object}</draw:page>`, `[Slide 1]\nOne\n${CHART}`],
  [
    "spreadsheet",
    table(
      "S",
      `<table:shapes>${object}<text:p>shape</text:p></table:shapes>${row(`<table:table-cell>${object}<text:p>7</text:p></table:table-cell>`)}`,
    ),
    `# S\n7\n\n${CHART}\n\n${CHART}`,
  ],
])("an OpenDocument %s has the values of a chart as a table", async (kind, body, text) => {
  const file = openDocumentOf(kind, `<office:${kind}>${body}</office:${kind}>`);
  expect(await read(withFiles(file, charts))).toBe(text);
  const others = { "Object 1/content.xml": "<math><mi>x</mi></math>" };
  expect(await read(withFiles(file, others))).not.toContain("Chart");
});

it("M4 a chart of an OpenDocument file whose cells repeat a billion times is small", async () => {
  const repeated = chart.replace("<table:table-cell ", '<table:table-cell table:number-columns-repeated="1000000000" ');
  const file = openDocumentOf("text", `<office:text><text:p>${object}</text:p></office:text>`);
  expect((await read(withFiles(file, { "Object 1/content.xml": repeated }))).length).toBeLessThan(1000);
});

it("an OpenDocument presentation marks hidden slides, and has comments and numbers of lists", async () => {
  const styles = `<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style><text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>`;
  const comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Why?</text:p></office:annotation>";
  const item = (text: string) => `<text:list-item><text:p>${text}</text:p></text:list-item>`;
  const first = `<draw:page draw:style-name="dp1"><text:list text:style-name="L">${item("One")}${item("two")}</text:list>${comment}<presentation:notes><text:p>Smile</text:p></presentation:notes></draw:page>`;
  const second = `<draw:page draw:style-name="dp2"><text:p>Secret</text:p></draw:page>`;
  const body = `<office:presentation>${first}${second}</office:presentation>`;
  expect(await read(openDocumentOf("presentation", body, { styles }))).toBe(
    "[Slide 1]\n1. One\n2. two\n[Notes]\nSmile\n[Comments]\nAnn: Why?\n\n[Slide 2]\n[Hidden slide]\nSecret",
  );
});
