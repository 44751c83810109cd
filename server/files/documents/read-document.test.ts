import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import { docxOf, runOf, workbookOf, zipOf } from "../../../testing/files/documents.ts";
import { linesOf, pdfFileOf, pdfObjects, pdfOf, pdfStream } from "../../../testing/files/pdf-files.ts";
import { officeTypes } from "../media-type.ts";
import { DocumentReader, documentTypes } from "./read-document.ts";

const [DOCX, XLSX] = officeTypes;
const PDF = "application/pdf";
const reader = disposeAfterAll(new DocumentReader());

const read = (bytes: Uint8Array | string, type: string, by = reader) => by.read(bufferSource(Buffer.from(bytes)), type);
const TOO_COMPLEX = { text: "", remark: "too-complex" };

/** A PDF whose content inflates to `size` bytes of states that are saved and restored: slow, without much heap. */
const statesPdf = (size: number) => pdfFileOf(pdfObjects([Buffer.alloc(size, "q Q ")]));
/** A PDF whose content inflates to `size` bytes of one array, which is larger than a heap of 64 MB. */
const arrayPdf = (size: number) =>
  pdfFileOf(
    pdfObjects([
      Buffer.alloc(size, "0 ")
        .fill("[", 0, 1)
        .fill("] TJ", size - 4),
    ]),
  );
/** XML of 60 MB in runs of a few bytes. */
const manyRuns = () => docxOf(Array.from({ length: 2_600_000 }, (_, at) => `<w:r at="${at}"></w:r>`).join(""));

it("reads documents of all types", async () => {
  const runs = `<w:p>${runOf("Fine")}</w:p>`;
  expect(await read(docxOf(runs), DOCX)).toEqual({ text: "Fine" });
  expect(await read(pdfOf("Fine"), PDF)).toEqual({ text: "Fine", pages: 1 });
  for (const type of documentTypes.filter((name) => name.startsWith("text/"))) {
    expect(await read("a,b", type)).toEqual({ text: "a,b" });
  }
  expect(await read("", "text/plain")).toEqual({ text: "" });
});

it("reports why a document has no text", async () => {
  expect(await read("a\0b", "text/plain")).toEqual({ text: "", remark: "broken" });
  expect(await read("no archive", DOCX)).toEqual({ text: "", remark: "broken" });
  expect(await read(Buffer.from("d0cf11e0a1b11ae1", "hex"), DOCX)).toEqual({ text: "", remark: "encrypted" });
});

it("cuts a long text at a character", async () => {
  const { text, remark } = await read(`${"a".repeat(999_999)}😀`, "text/plain");
  expect([text.length, text.at(-1), remark]).toEqual([999_999, "a", "cut"]);
  expect(await read("b".repeat(1_000_000), "text/plain")).toEqual({ text: "b".repeat(1_000_000) });
});

it("returns well-formed text", async () => {
  const bytes = Buffer.from("\uFEFFa\uD800b", "utf16le");
  expect(await read(bytes, "text/plain")).toEqual({ text: "a\uFFFDb" });
  expect(await read(docxOf(`<w:p>${runOf("a&#xD800;b")}</w:p>`), DOCX)).toEqual({ text: "a\uFFFDb" });
});

it("reads a document in pieces, and reports one that is shorter than its size", async () => {
  const source = bufferSource(Buffer.from("x".repeat(3_000_000)));
  expect((await reader.read(source, "text/plain")).remark).toBe("cut");
  expect(Math.max(...source.reads)).toBeLessThan(source.size / 2);
  await expect(reader.read({ ...source, size: source.size + 1 }, "text/plain")).rejects.toThrow("shorter");
  const failing = { size: 10, read: () => Promise.reject(new Error("Disk")) };
  await expect(reader.read(failing, "text/plain")).rejects.toThrow("Disk");
  expect(await read("next", "text/plain")).toEqual({ text: "next" });
});

it("reads concurrent documents in their order", async () => {
  const ended: number[] = [];
  const documents = Array.from({ length: 5 }, async (_, at) => {
    const { text } = await read(`${at}`.repeat(at === 0 ? 500_000 : 1), "text/plain");
    ended.push(at);
    return text.at(-1);
  });
  expect(await Promise.all(documents)).toEqual(["0", "1", "2", "3", "4"]);
  expect(ended).toEqual([0, 1, 2, 3, 4]);
});

it("ends reading when its signal is aborted, and reads the next document", async () => {
  const leaving = new AbortController();
  const begun = Promise.withResolvers<void>();
  const slow = bufferSource(statesPdf(50_000_000));
  const read = async (at: number, length: number) => {
    begun.resolve();
    return slow.read(at, length);
  };
  const running = reader.read({ size: slow.size, read }, PDF, leaving.signal);
  const waiting = reader.read(bufferSource(Buffer.from("waiting")), "text/plain", leaving.signal);
  const refusals = [expect(running).rejects.toThrow("Gone"), expect(waiting).rejects.toThrow("Gone")];
  await begun.promise;
  leaving.abort(new Error("Gone"));
  await Promise.all(refusals);
  expect(await reader.read(bufferSource(Buffer.from("next")), "text/plain")).toEqual({ text: "next" });
});

it("a closed reader is unavailable, also to the document that is being read", async () => {
  const closing = new DocumentReader();
  const running = read("one", "text/plain", closing);
  const isRefused = expect(running).rejects.toMatchObject({ code: "unavailable" });
  await closing[Symbol.asyncDispose]();
  await isRefused;
  await expect(read("two", "text/plain", closing)).rejects.toMatchObject({ code: "unavailable" });
});

it("starts a process again after idle time", async () => {
  await using resting = new DocumentReader({ idleMs: 0 });
  for (const text of ["one", "two", "three"]) expect(await read(text, "text/plain", resting)).toEqual({ text });
});

it("M4 ends a document that takes too long, and reads the next one", async () => {
  await using hurried = new DocumentReader({ timeoutMs: 1000, maxMemoryMb: 2000 });
  expect(await read(statesPdf(100_000_000), PDF, hurried)).toEqual(TOO_COMPLEX);
  expect(await read("next", "text/plain", hurried)).toEqual({ text: "next" });
});

it("M4 ends a document that exceeds the heap at once, and reads the next one", async () => {
  await using small = new DocumentReader({ maxHeapMb: 64 });
  expect(await read(arrayPdf(40_000_000), PDF, small)).toEqual(TOO_COMPLEX);
  expect(await read("next", "text/plain", small)).toEqual({ text: "next" });
});

it("M4 ends a content stream that inflates to 500 MB, and reads the next one", async () => {
  expect(await read(statesPdf(500_000_000), PDF)).toEqual(TOO_COMPLEX);
  expect(await read("next", "text/plain")).toEqual({ text: "next" });
});

it("M4 reads a workbook whose only cell is at the last row and column", async () => {
  const far = workbookOf({ S: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' });
  expect(await read(far, XLSX)).toEqual({ text: `# S\n${",".repeat(16_383)}1` });
});

it("M4 ends archives that inflate a thousandfold, and opens none in another", async () => {
  const bomb = zipOf({ "word/document.xml": "a".repeat(30_000_000) });
  expect(await read(bomb, DOCX)).toEqual(TOO_COMPLEX);
  const nested = zipOf({ "word/document.xml": zipOf({ "word/document.xml": bomb }) });
  expect(await read(nested, DOCX)).toMatchObject({ text: "" });
});

it("M4 reads a Word document of 60 MB in tiny runs within its limits of memory", async () => {
  // A busy machine takes longer than the usual limit of time.
  await using patient = new DocumentReader({ timeoutMs: 60_000 });
  expect(await read(manyRuns(), DOCX, patient)).toEqual({ text: "" });
});

it("M4 opens no address that a document names", async () => {
  const requests: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    requests.push(url);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const objects = pdfObjects([`${linesOf("Fine")} /X Do`]);
  objects[0] = `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\("${url}js"\\))>>>>`;
  objects[3] = `<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</X 6 0 R>>>>/Contents 5 0 R/AA<</O<</S/URI/URI(${url}uri)>>>>>>`;
  objects.push(pdfStream("", `/Type/XObject/Subtype/Image/Width 1/Height 1/F<</FS/URL/F(${url}image)>>`));
  expect(await read(pdfFileOf(objects), PDF)).toEqual({ text: "Fine", pages: 1 });
  const rels = `<Relationships><Relationship Id="1" Type="x/attachedTemplate" Target="${url}template" TargetMode="External"/></Relationships>`;
  const dtd = `<!DOCTYPE x [<!ENTITY e SYSTEM "${url}entity">]>`;
  const more = { "word/_rels/document.xml.rels": rels, "word/document.xml": `${dtd}<w:p>${runOf("Fine&e;")}</w:p>` };
  expect(await read(docxOf("", more), DOCX)).toEqual({ text: "Fine&e;" });
  server.close();
  expect(requests).toEqual([]);
});
