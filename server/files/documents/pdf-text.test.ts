import { expect, it } from "vitest";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { HANG_MS } from "../../../testing/app/wait-for.ts";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import {
  eastAsianPdf,
  encryptedPdfOf,
  linesOf,
  type PdfObjects,
  pdfFileOf,
  pdfObjects,
  pdfOf,
  pdfStream,
  scannedPdf,
} from "../../../testing/files/pdf-files.ts";
import { DocumentReader } from "./read-document.ts";

const reader = disposeAfterAll(new DocumentReader());
/** For documents of many pages, which a busy machine does not read within the usual limit of time. */
const patientReader = disposeAfterAll(new DocumentReader({ timeoutMs: HANG_MS }));
const read = (pdf: Buffer, by = reader) => by.read(bufferSource(pdf), "application/pdf");

/** Objects of a PDF with one page of text, of which some are others. */
function changed(change: Record<number, string>, ...more: PdfObjects): Buffer {
  const objects = pdfObjects([linesOf("One")]);
  for (const [at, object] of Object.entries(change)) objects[Number(at)] = object;
  return pdfFileOf([...objects, ...more]);
}

it("reads the lines of a page, and heads pages with their numbers if there are several", async () => {
  expect(await read(pdfFileOf(pdfObjects([linesOf("One", "Two")])))).toEqual({ text: "One\nTwo", pages: 1 });
  expect(await read(pdfOf("First", "", "Third"))).toEqual({
    text: "[Page 1]\nFirst\n\n[Page 2]\n\n[Page 3]\nThird",
    pages: 3,
  });
});

it("reads 200 pages whole", async () => {
  const words = Array.from({ length: 40 }, (_, at) => `Line ${at} of a page with text.`);
  const contents = Array.from({ length: 200 }, (_, at) => linesOf(...words, `Mark ${at + 1}.`));
  const { text, pages, remark } = await read(pdfFileOf(pdfObjects(contents)), patientReader);
  const marks = [...text.matchAll(/^Mark (\d+)\.$/gm)].map(([, number]) => Number(number));
  expect(marks).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  expect([pages, remark]).toEqual([200, undefined]);
});

it("cuts the text of many pages", async () => {
  const lines = Array.from({ length: 50 }, () => "x".repeat(60));
  const { text, pages, remark } = await read(
    pdfFileOf(pdfObjects(Array.from({ length: 400 }, () => linesOf(...lines)))),
    patientReader,
  );
  expect([text.length, pages, remark]).toEqual([1_000_000, 400, "cut"]);
});

it("distinguishes pages without text, damage and passwords", async () => {
  expect(await read(scannedPdf())).toEqual({ text: "", pages: 1, remark: "scanned" });
  expect(await read(Buffer.from("%PDF-1.7 nothing"))).toEqual({ text: "", remark: "broken" });
  expect(await read(pdfOf("One").subarray(0, 300))).toEqual({ text: "", remark: "broken" });
  expect(await read(encryptedPdfOf("One", "secret"))).toEqual({ text: "", remark: "encrypted" });
  expect(await read(encryptedPdfOf("One", ""))).toEqual({ text: "One", pages: 1 });
  const certificate = "/Encrypt<</Filter/Adobe.PubSec/V 4/SubFilter/adbe.pkcs7.s5>>/ID[<00><00>]";
  expect(await read(pdfFileOf(pdfObjects([linesOf("One")]), certificate))).toEqual({ text: "", remark: "encrypted" });
});

it("reads a PDF of which only the attachments are encrypted", async () => {
  const filters = "/CF<</StdCF<</CFM/AESV3/Length 32>>>>/EFF/StdCF";
  const keys = ["O", "U", "OE", "UE", "Perms"].map((key) => `/${key}<${"ab".repeat(key.length === 1 ? 48 : 32)}>`);
  const encrypted = (more: string) =>
    pdfFileOf(
      [
        ...pdfObjects([linesOf("One")]),
        `<</Filter/Standard/V 5/R 6/Length 256/P -4${keys.join("")}${filters}${more}>>`,
      ],
      "/Encrypt 6 0 R/ID[<00><00>]",
    );
  expect(await read(encrypted("/StmF/Identity/StrF/Identity"))).toEqual({ text: "One", pages: 1 });
  expect(await read(encrypted(""))).toEqual({ text: "One", pages: 1 });
  expect(await read(encrypted("/StmF/StdCF/StrF/StdCF"))).toEqual({ text: "", remark: "encrypted" });
});

it("reads a PDF whose header is behind other bytes", async () => {
  const pdf = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"), pdfOf("Hello")]);
  expect(await read(pdf)).toEqual({ text: "Hello", pages: 1 });
});

it("marks a damaged page among others", async () => {
  const pages = "<</Type/Pages/Count 2/Kids[4 0 R 99 0 R]>>";
  expect(await read(changed({ 1: pages }))).toEqual({ text: "[Page 1]\nOne\n\n[Page 2: damaged]", pages: 2 });
});

it("finds text unreadable whose characters have no meaning", async () => {
  const map =
    "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <7a> <e041> endbfrange endcmap";
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Own/ToUnicode 6 0 R/Encoding/WinAnsiEncoding>>";
  expect(await read(changed({ 2: font }, pdfStream(map)))).toEqual({ text: "", pages: 1, remark: "unreadable" });
});

it.each([
  ["GBK-EUC-H", "GB1", "b7a2c6b1bdf0b6ee", "发票金额"],
  ["90ms-RKSJ-H", "Japan1", "90bf8b818f91", "請求書"],
  ["UniGB-UCS2-H", "GB1", "5408540c7f1653f7", "合同编号"],
  ["KSCms-UHC-H", "Korea1", "b0e8bee0bcad", "계약서"],
  ["ETen-B5-H", "CNS1", "b56fb2bc", "發票"],
  ["UniJIS-UTF16-V", "Japan1", "8acb6c4266f8", "請求書"],
])("reads text of a font that is not embedded by the map %s of %s", async (encoding, ordering, codes, text) => {
  expect(await read(eastAsianPdf(encoding, ordering, codes))).toEqual({ text, pages: 1 });
});

it("keeps the readable pages of a PDF, and marks the unreadable ones", async () => {
  const map =
    "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <7a> <e041> endbfrange endcmap";
  const objects = pdfObjects([linesOf("One"), linesOf("Two"), linesOf("Three")]);
  const count = objects.length;
  objects[5] = String(objects[5]).replace("/F1 3 0 R", `/F1 ${count + 1} 0 R`);
  const font = `<</Type/Font/Subtype/Type1/BaseFont/Own/ToUnicode ${count + 2} 0 R/Encoding/WinAnsiEncoding>>`;
  expect(await read(pdfFileOf([...objects, font, pdfStream(map)]))).toEqual({
    text: "[Page 1]\nOne\n\n[Page 2: unreadable]\n\n[Page 3]\nThree",
    pages: 3,
  });
});

it("marks the pages of a PDF that are pictures or drawings, not the blank ones", async () => {
  const image = pdfStream(
    new Uint8Array(100),
    "/Type/XObject/Subtype/Image/Width 10/Height 10/ColorSpace/DeviceGray/BitsPerComponent 8",
  );
  const shapes = (count: number) => "10 10 m 90 90 l S ".repeat(count);
  const inline = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID a EI Q";
  const blank = "q .24 0 0 -.24 0 792 cm Q 1 1 1 rg 0 0 612 792 re f 0 0 9 9 re W n";
  const objects = pdfObjects([linesOf("One"), "q 600 0 0 800 0 0 cm /I Do Q", blank, shapes(50), inline, shapes(1)]);
  const names = `/XObject<</I ${objects.length + 1} 0 R>>`;
  objects[5] = String(objects[5]).replace("/Resources<<", `/Resources<<${names}`);
  const marks = ["", ": picture", "", ": picture", ": picture", ""];
  const blocks = marks.map((mark, at) => `[Page ${at + 1}${mark}]${at === 0 ? "\nOne" : ""}`);
  expect(await read(pdfFileOf([...objects, image]))).toEqual({ text: blocks.join("\n\n"), pages: 6 });
});

it("does not take a blank PDF for a scanned one", async () => {
  expect(await read(pdfOf("", ""))).toEqual({ text: "", pages: 2 });
});

it("reads Arabic that is drawn from left to right in its logical order", async () => {
  // The letters a to c are meem, lam with alef, and seen, as a producer maps glyphs to presentation forms.
  const map =
    "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <61> <fee1> <62> <fefc> <63> <feb3> endbfchar endcmap";
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Own/ToUnicode 6 0 R/Encoding/WinAnsiEncoding>>";
  const letters = ["a", "b", "c"].map((letter, at) => `BT /F1 12 Tf ${100 + 60 * at} 700 Td (${letter}) Tj ET`);
  for (const content of [linesOf("abc"), letters.join(" ")]) {
    const objects = pdfObjects([content], font);
    const { text } = await read(pdfFileOf([...objects, pdfStream(map)]));
    expect(text.replaceAll(" ", "")).toBe("سلام");
  }
});

it("M4 ends a page of a million nested arrays as too complex, and reads the next document", async () => {
  const nested = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R/X${nested}>>`;
  expect(await read(changed({ 3: page }))).toMatchObject({ text: "", remark: "too-complex" });
  expect(await read(pdfOf("Fine"))).toEqual({ text: "Fine", pages: 1 });
});

it("M4 ends a page tree that claims a billion pages as too complex", async () => {
  const level = (at: number) => `<</Type/Pages/Count ${10 ** (9 - at)}/Kids[${`${at + 3} 0 R `.repeat(10)}]>>`;
  const levels = Array.from({ length: 9 }, (_, at) => level(at));
  const tree = ["<</Type/Catalog/Pages 2 0 R>>", ...levels, "<</Type/Page/MediaBox[0 0 9 9]/Parent 2 0 R>>"];
  expect(await read(pdfFileOf(tree))).toEqual({ text: "", remark: "too-complex" });
});

it("M4 reads the pages of a PDF that claims more than it has", async () => {
  const pages = "<</Type/Pages/Count 1000000000/Kids[4 0 R]>>";
  expect(await read(changed({ 1: pages }))).toEqual({ text: "One", pages: 1 });
});
