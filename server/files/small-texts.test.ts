import { expect, it } from "vitest";
import type { Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { bufferSource } from "../../testing/files/buffer-source.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { putFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { AttachmentReader } from "./attachment-reader.ts";
import type { DocumentText } from "./documents/document-text.ts";

const KB = 1024;
const noLimits = { check: async () => undefined, add: async () => undefined };
const app = disposeAfterAll(await startTestApp());

it("M4 a small text is read while a document of another account waits for its process", async () => {
  const held = Promise.withResolvers<DocumentText>();
  using reader = new AttachmentReader({ documents: { read: () => held.promise }, limits: noLimits });
  const read = (account: string, name: string, bytes: Uint8Array) => {
    const flow = { network: "192.0.2.1", account };
    return reader.run(flow, () => reader.read(bufferSource(Buffer.from(bytes)), { name, flow }));
  };
  const document = read("ada", "a.pdf", pdfOf("Fine"));
  expect(await read("eve", "note.txt", Buffer.from("A note"))).toMatchObject({ text: "A note" });
  held.resolve({ text: "Fine" });
  expect(await document).toMatchObject({ text: "Fine" });
});

it.each([
  ["UTF-8", (text: string) => Buffer.from(text)],
  ["UTF-16", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["Windows-1252", (text: string) => Buffer.from(text, "latin1")],
])("a small and a large text in %s are decoded alike", async (_, encode) => {
  const ada = await signUp(app);
  for (const count of [1, 1000, 10_000]) {
    const text = "Fjörd and fjäll. ".repeat(count);
    const answer = await putFile(app, { ...ada, name: "fjords.txt", bytes: encode(text) });
    const { file } = (await answer.json()) as Upload;
    const readable = await app.call("GET", filePaths.fileText(file?.id ?? ""), ada);
    expect(await readable.json()).toEqual({ text });
  }
});

it("refuses a small and a large text with a NUL", async () => {
  const ada = await signUp(app);
  for (const size of [KB, 200 * KB]) {
    const bytes = Buffer.from(`\uFEFF${"word ".repeat(size / 10)}\0`, "utf16le");
    const answer = await putFile(app, { ...ada, name: "words.txt", bytes });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([400, "file-broken"]);
  }
});
