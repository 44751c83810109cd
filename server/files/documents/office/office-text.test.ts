import { describe, expect, it } from "vitest";
import { docxOf, odtOf, pptxOf, relationships, runOf, xlsxOf, zipOf } from "../../../../testing/files/documents.ts";
import { officeTypes } from "../../media-type.ts";
import { BrokenDocument, EncryptedDocument, MAX_TEXT_CHARS } from "../document-text.ts";
import { readOfficeText } from "./office-text.ts";

const [DOCX, XLSX, PPTX, ODT] = officeTypes;
const paragraph = (runs: string) => `<w:p>${runs}</w:p>`;

describe("Word documents", () => {
  const textOf = (body: string, more = {}) => readOfficeText(docxOf(body, more), DOCX);

  it("a Word document has a line for a paragraph, with tabs, breaks and entities", async () => {
    const tabStops = `<w:pPr><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs></w:pPr>`;
    const first = paragraph(runOf("A &lt;fjord&gt; &#233;"));
    const second = paragraph(
      `${tabStops}${runOf("One")}<w:r><w:tab/></w:r>${runOf("two")}<w:r><w:br/></w:r>${runOf("three")}`,
    );
    expect(await textOf(first + paragraph("") + second)).toBe("A <fjord> é\nOne\ttwo\nthree");
  });

  it("a Word document has a line for a row of a table, with tabs between cells", async () => {
    const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => paragraph(runOf(text))).join("")}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell("a", "b")}${cell("c")}</w:tr><w:tr>${cell("d")}${cell("")}</w:tr></w:tbl>`;
    expect(await textOf(table + paragraph(runOf("end")))).toBe("a b\tc\nd\nend");
  });

  it("a Word document has no deleted text, field codes or second forms of drawings", async () => {
    const deleted = `<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom>${runOf("gone")}</w:moveFrom>`;
    const field = `<w:r><w:instrText>PAGE</w:instrText></w:r><w:ins>${runOf("new")}</w:ins>`;
    const drawing = `<mc:AlternateContent><mc:Choice>${runOf("box")}</mc:Choice><mc:Fallback>${runOf("box")}</mc:Fallback></mc:AlternateContent>`;
    expect(await textOf(paragraph(deleted + field + drawing))).toBe("newbox");
  });

  it("a Word document has its notes at the end", async () => {
    const reference = (kind: string) => `<w:r><w:${kind}Reference w:id="2"/></w:r>`;
    const notes = (kind: string) =>
      `<w:${kind}s><w:${kind} w:type="separator" w:id="0">${paragraph("")}</w:${kind}><w:${kind} w:id="2">${paragraph(runOf(` A ${kind}`))}</w:${kind}></w:${kind}s>`;
    const body = paragraph(runOf("One") + reference("footnote") + runOf(" two") + reference("endnote"));
    const more = { "word/footnotes.xml": notes("footnote"), "word/endnotes.xml": notes("endnote") };
    expect(await textOf(body, more)).toBe("One[^2] two[^e2]\n[^2]: A footnote\n[^e2]: A endnote");
  });

  it("a Word document has its headers above the text and its footers below, each once", async () => {
    const margins = ["header", "header", "footer", "footer"].map((type, at) => ({
      id: `r${at}`,
      type,
      target: `${type}${at}.xml`,
    }));
    const header = `<w:hdr>${paragraph(runOf("Invoice 4711"))}</w:hdr>`;
    const more = {
      "word/_rels/document.xml.rels": relationships(...margins),
      "word/header0.xml": header,
      "word/header1.xml": header,
      "word/footer2.xml": `<w:ftr>${paragraph(`${runOf("1")}${runOf(" / 3")}`)}</w:ftr>`,
      "word/footer3.xml": `<w:ftr>${paragraph(runOf("IBAN DE89"))}</w:ftr>`,
    };
    const text = await textOf(paragraph(runOf("Dear")), more);
    expect(text).toBe("[Header]\nInvoice 4711\n\nDear\n[Footer]\nIBAN DE89");
  });

  it("a Word document is found in its archive by its relationship", async () => {
    const rels = `<Relationships><Relationship Id="1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/word/document2.xml"/></Relationships>`;
    const more = { "_rels/.rels": rels, "word/document2.xml": paragraph(runOf("Second")) };
    expect(await textOf(paragraph(runOf("First")), more)).toBe("Second");
  });
});

describe("presentations", () => {
  it("a presentation has its slides in their order, followed by their notes", async () => {
    const slides = Array.from({ length: 11 }, (_, at) => ({ paragraphs: [`Title ${at + 1}`, "Text"] }));
    const text = await readOfficeText(pptxOf({ paragraphs: ["First"], notes: "A note" }, ...slides), PPTX);
    expect(text).toMatch(/^\[Slide 1\]\nFirst\n\[Notes\]\nA note\n\n\[Slide 2\]\nTitle 1\nText\n\n\[Slide 3\]/);
    expect(text).toMatch(/\[Slide 12\]\nTitle 11\nText$/);
  });

  it("a presentation has a line for a row of a table, and breaks", async () => {
    const cell = (text: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const table = `<a:tbl><a:tr>${cell("a")}${cell("b")}</a:tr></a:tbl><a:p><a:r><a:t>c</a:t></a:r><a:br/><a:r><a:t>d</a:t></a:r></a:p>`;
    const text = await readOfficeText(pptxOf({ paragraphs: [`</a:t></a:r></a:p>${table}<a:p><a:r><a:t>`] }), PPTX);
    expect(text).toBe("[Slide 1]\na\tb\nc\nd");
  });

  it("a presentation marks a slide that it does not show", async () => {
    const slides = [{ paragraphs: ["One"] }, { paragraphs: ["Two"], isHidden: true }];
    expect(await readOfficeText(pptxOf(...slides), PPTX)).toBe("[Slide 1]\nOne\n\n[Slide 2]\n[Hidden slide]\nTwo");
  });
});

describe("OpenDocument texts", () => {
  const textOf = (body: string) => readOfficeText(odtOf(body), ODT);

  it("an OpenDocument text has a line for a paragraph, with tabs, breaks and blanks", async () => {
    const body = `<text:h>Fjords</text:h>\n<text:p>One<text:tab/>two  \n &amp;<text:s text:c="3"/><text:span>three</text:span><text:line-break/>four</text:p>`;
    expect(await textOf(body)).toBe("# Fjords\nOne\ttwo &   three\nfour");
  });

  it("an OpenDocument text has a line for a row of a table, and notes in brackets", async () => {
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const table = `<table:table-row>${cell("a")}${cell("b")}</table:table-row>`;
    const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p></text:note-body></text:note>`;
    expect(await textOf(`${table}<text:p>Text${note} on</text:p>`)).toBe("a\tb\nText [1: A note] on");
  });

  it("an OpenDocument text has one empty line for several", async () => {
    expect(await textOf(`<text:p>One${"<text:line-break/>".repeat(4)}two</text:p>`)).toBe("One\n\ntwo");
  });

  it("an OpenDocument text has its comments where they are, but no deleted text", async () => {
    const comment = "<office:annotation><dc:creator>Ada</dc:creator><text:p>Comment</text:p></office:annotation>";
    const deleted = "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>";
    expect(await textOf(`${deleted}<text:p>One${comment}two</text:p>`)).toBe("One [Comment: Ada: Comment]two");
  });

  it("an OpenDocument text has at most 100 blanks for an element", async () => {
    expect(await textOf(`<text:p>a<text:s text:c="1000000000"/>b</text:p>`)).toHaveLength(102);
  });

  it("refuses an encrypted OpenDocument text as encrypted", async () => {
    const manifest = `<manifest:manifest><manifest:encryption-data/></manifest:manifest>`;
    await expect(readOfficeText(odtOf("", manifest), ODT)).rejects.toThrow(EncryptedDocument);
  });
});

describe("office documents", () => {
  it.each(officeTypes)("refuses a document of type %s that is encrypted, damaged or another archive", async (type) => {
    const compound = Buffer.from("d0cf11e0a1b11ae1", "hex");
    await expect(readOfficeText(compound, type)).rejects.toThrow(EncryptedDocument);
    await expect(readOfficeText(Buffer.from("no archive"), type)).rejects.toThrow(BrokenDocument);
    await expect(readOfficeText(zipOf({ "a.txt": "a" }), type)).rejects.toThrow();
  });

  const long = Array.from({ length: 250_000 }, (_, at) => at.toString(36)).join(" ");
  /** As long as cells can be: with a longer one the parser of workbooks halves its pieces to nothing if it is slow. */
  const cells = long.match(/.{1,32767}/g) ?? [];

  it.each([
    ["a Word document", DOCX, docxOf(paragraph(runOf(long).repeat(3)))],
    ["an OpenDocument text", ODT, odtOf(`<text:p>${long}</text:p>`.repeat(3))],
    ["a presentation", PPTX, pptxOf(...Array.from({ length: 3 }, () => ({ paragraphs: [long] })))],
    ["a workbook", XLSX, xlsxOf({ S: [...cells, ...cells, ...cells].map((cell) => [cell]) })],
  ])("reads %s up to the limit of text", async (_, type, bytes) => {
    const { length } = await readOfficeText(bytes, type);
    expect(length).toBeGreaterThan(MAX_TEXT_CHARS);
    expect(length).toBeLessThan(MAX_TEXT_CHARS + long.length + 100);
  });
});
