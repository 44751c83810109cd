import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { uploadFile } from "../../testing/files/upload.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Uploads a file of a package. @returns the text that a model receives */
async function textOf(name: string, file: string): Promise<string> {
  const bytes = await readFile(new URL(file, import.meta.resolve(`${name}/package.json`)));
  const { id } = await uploadFile(app, { ...ada, name: file.slice(file.lastIndexOf("/") + 1), bytes });
  const response = await app.call("GET", filePaths.fileText(id), ada);
  const { text, remark } = (await response.json()) as { text: string; remark?: string };
  expect(remark).toBeUndefined();
  return text;
}

it.each([
  ["comments", "Ouch [Comment: Michael Williamson: A tachyon walks into a bar.]. [Comment: Michael Williamson: Fin.]"],
  ["footnotes", "Ouch[^1].[^2]\n[^1]: A tachyon walks into a bar.\n[^2]: Fin."],
  ["endnotes", "Ouch[^e2].[^e3]\n[^e2]: A tachyon walks into a bar.\n[^e3]: Fin."],
  ["footnote-hyperlink", "[^1]\n[^1]: Example (http://www.example.com)"],
  ["simple-list", "- Apple\n- Banana"],
  ["tables", "Above\nTop left\tTop right\nBottom left\tBottom right\nBelow"],
  ["text-box", "Datum plane"],
  ["strict-format", "Test"],
  ["utf8-bom", "This XML has a byte order mark."],
  ["strikethrough", "Today's Special: Salmon Sold out"],
  ["embedded-style-map", "Walking on imported air"],
])("reads the Word document %s.docx that others made", async (name, text) => {
  expect(await textOf("mammoth", `test/test-data/${name}.docx`)).toBe(text);
});

it("reads a presentation that others made, with its diagram and the descriptions of its pictures", async () => {
  const text = await textOf("pptx2json", "fixtures/test.pptx");
  const slides = text.split("\n\n");
  expect(slides.map((slide) => slide.split("\n")[0])).toEqual(["[Slide 1]", "[Slide 2]", "[Slide 3]"]);
  expect(slides[0]).toBe("[Slide 1]\n[Picture: 顕微鏡をのぞいている学生]\nパワポ・テスト\n難しい髙");
  expect(slides[1]).toContain("[Diagram]\n6年生: 基礎\n7年生:科学的手法\n8年生: 研究\n9年生:最終論文\n");
  expect(slides[2]).toMatch(/ありがとう\nございました\nsomeone@example\.com/);
});
