import { expect, it } from "vitest";
import { bufferSource } from "../../../../../testing/files/buffer-source.ts";
import { openDocumentOf } from "../../../../../testing/files/documents.ts";
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
