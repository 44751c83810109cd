import { expect, it } from "vitest";
import type { Upload } from "#contract/files.ts";
import { paths } from "#contract/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { pdfFileOf, pdfObjects } from "../../testing/files/pdf-files.ts";
import { putFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

const KB = 1024;
const app = disposeAfterAll(await startTestApp());

it("M4 a small text is ready while a costly document of another account is read", async () => {
  const [ada, eve] = [await signUp(app), await signUp(app)];
  const costly = pdfFileOf(pdfObjects([Buffer.alloc(12_000_000, "q Q ")]));
  const ended: string[] = [];
  const upload = async (owner: string, call: Parameters<typeof putFile>[1]) => {
    const { status } = await putFile(app, call);
    ended.push(owner);
    return status;
  };
  const id = crypto.randomUUID();
  const slow = upload("ada", { ...ada, id, name: "costly.pdf", bytes: costly });
  const offset = async () => (await app.call("HEAD", paths.file(id), ada)).headers.get("upload-offset");
  await expect.poll(offset).toBe(String(costly.length));
  expect(await upload("eve", { ...eve, bytes: "A note" })).toBe(200);
  expect(ended).toEqual(["eve"]);
  expect(await slow).toBe(200);
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
    const readable = await app.call("GET", paths.fileText(file?.id ?? ""), ada);
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
