import { expect, it } from "vitest";
import { PDF_TYPE } from "#contract/files/files.ts";
import { bufferSource } from "../../testing/files/buffer-source.ts";
import { zipOf } from "../../testing/files/documents.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { mediaTypeOf, officeTypes } from "./media-type.ts";

const [DOCX] = officeTypes;
const typeOf = (bytes: Uint8Array, name: string) => mediaTypeOf(bufferSource(Buffer.from(bytes)), name);

it("the name decides the type of a document whose list of types is behind a thousand other files", async () => {
  const pictures = Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`word/media/${at}.png`, ""]));
  const types = `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
  const document = zipOf({ ...pictures, "word/document.xml": "<w:p/>", "[Content_Types].xml": types });
  expect(await typeOf(document, "Report.DOCX")).toBe(DOCX);
  expect(await typeOf(document, "report.zip")).toBe(null);
});

it("a PDF is found whose header is behind other bytes, up to 1,024 of them", async () => {
  const pdf = pdfOf("Hello");
  const behind = (start: string | Uint8Array) => Buffer.concat([Buffer.from(start), pdf]);
  expect(await typeOf(behind("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"), "a.pdf")).toBe(PDF_TYPE);
  expect(await typeOf(behind("\uFEFF"), "a.pdf")).toBe(PDF_TYPE);
  expect(await typeOf(behind(new Uint8Array(500)), "a")).toBe(PDF_TYPE);
  expect(await typeOf(behind(" ".repeat(1100)), "a.pdf")).toBe(null);
  expect(await typeOf(Buffer.from("# Files\n%PDF-1.7 is the header of a PDF."), "a.md")).toBe("text/markdown");
});

it.each([
  ["health.csv", "BMI,Age\n22.4,40", "text/csv"],
  ["films.txt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello", "text/plain"],
  ["shop.txt", "MZ-Magazin für Münzen", "text/plain"],
  ["mail.asc", "-----BEGIN PGP MESSAGE-----\n\nhQ", "text/plain"],
  ["gif.md", "GIF89a is a format of pictures.", "text/markdown"],
  ["pdf.txt", "%PDF-1.4 is the header of a PDF, and %%EOF its end.", "text/plain"],
  ["a.test.ts", "const pdf = '%PDF-1.4\\n1 0 obj';\nconst end = '%%EOF';", "text/plain"],
])("a text is one, though it begins as files of another kind do: %s", async (name, text, type) => {
  expect(await typeOf(Buffer.from(text), name)).toBe(type);
});

it("a PDF of letters only is a PDF", async () => {
  const pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\nstartxref\n0\n%%EOF";
  expect(await typeOf(Buffer.from(pdf), "form")).toBe(PDF_TYPE);
});
