import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { epubOf } from "../../../testing/files/documents.ts";
import {
  annotatedPdf,
  eastAsianPdf,
  encryptedPdfOf,
  linesOf,
  pdfFileOf,
  pdfObjects,
  pdfOf,
  pdfStream,
  scannedPdf,
} from "../../../testing/files/pdf-files.ts";
import { uploadFile } from "../../../testing/files/upload.ts";

const app = disposeAfterAll(await startTestApp());
const { token } = await signUp(app);

/** Uploads a file, and reads what models receive of it. */
async function read(name: string, bytes: Uint8Array | string) {
  const { id, type, pages, remark } = await uploadFile(app, { token, name, bytes });
  const { text } = (await (await app.call("GET", filePaths.fileText(id), { token })).json()) as { text: string };
  return { type, text, ...(pages !== undefined && { pages }), ...(remark !== undefined && { remark }) };
}

const RECT = "/Rect[150 717 250 730]";
const field = (entries: string) => `/Subtype/Widget${entries}${RECT}`;
const text = (value: string, label = "a") => field(`/FT/Tx/T(${label})/V(${value})`);
const choice = field("/FT/Ch/Ff 131072/T(b)/V(no)/Opt[[(no)(Norway)][(se)(Sweden)]]");

/** A PDF with a second page that the page tree names, but which the file does not have. */
function damagedPdf(): Buffer {
  const objects = pdfObjects([linesOf("One")]);
  objects[1] = "<</Type/Pages/Count 2/Kids[4 0 R 99 0 R]>>";
  return pdfFileOf(objects);
}

/** A PDF with a page of text, and one that is a picture. */
function textThenScan(): Buffer {
  const picture = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID a EI Q";
  return pdfFileOf(pdfObjects([linesOf("A cover"), picture]));
}

/** A PDF whose font maps its letters to characters for private use. */
function privatePdf(): Buffer {
  const map =
    "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <7a> <e041> endbfrange endcmap";
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Own/ToUnicode 6 0 R/Encoding/WinAnsiEncoding>>";
  return pdfFileOf([...pdfObjects([linesOf("One")], font), pdfStream(map)]);
}

it.each([
  ["P1 a form", () => annotatedPdf(linesOf("Surname:"), [text("Lindqvist")]), "Surname: Lindqvist"],
  ["P1 a choice in a form", () => annotatedPdf(linesOf("Country:"), [choice]), "Country: Norway"],
  ["P2 a form without labels", () => annotatedPdf("", [text("Berg", "surname")]), "surname: Berg"],
  ["P3 a text box", () => annotatedPdf("", [`/Subtype/FreeText${RECT}/Contents(Typed)`]), "[Text box] Typed"],
  ["P4 a Chinese font", () => eastAsianPdf("GBK-EUC-H", "GB1", "b7a2c6b1bdf0b6ee"), "发票金额"],
  ["P4 a Japanese font", () => eastAsianPdf("90ms-RKSJ-H", "Japan1", "90bf8b818f91"), "請求書"],
  ["P4 Unicode", () => eastAsianPdf("UniGB-UCS2-H", "GB1", "5408540c7f1653f7"), "合同编号"],
  ["P5 headers of HTTP", () => Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), pdfOf("Hello")]), "Hello"],
  ["P5 a byte order mark", () => Buffer.concat([Buffer.from("\uFEFF"), pdfOf("Hello")]), "Hello"],
  ["P8 a blank page", () => pdfOf(""), ""],
  ["P9 an owner's password", () => encryptedPdfOf("One", ""), "One"],
])("%s in an uploaded PDF is read", async (_, pdf, expected) => {
  expect(await read("a.pdf", pdf())).toEqual({ type: "application/pdf", text: expected, pages: 1 });
});

it.each([
  ["P2 a scan", scannedPdf, { text: "", pages: 1, remark: "scanned" }],
  ["P6 a damaged page", damagedPdf, { text: "[Page 1]\nOne\n\n[Page 2: damaged]", pages: 2 }],
  ["P7 a scan behind a cover", textThenScan, { text: "[Page 1]\nA cover\n\n[Page 2: picture]", pages: 2 }],
  ["P9 a user's password", () => encryptedPdfOf("One", "secret"), { text: "", remark: "encrypted" }],
  ["P10 characters without a meaning", privatePdf, { text: "", pages: 1, remark: "unreadable" }],
])("%s in an uploaded PDF is marked", async (_, pdf, expected) => {
  expect(await read("a.pdf", pdf())).toEqual({ type: "application/pdf", ...expected });
});

const MAIL = `From: =?utf-8?Q?J=C3=BCrgen?= <j@example.com>
Subject: x
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

K=C3=A4se=
`;
const notebook = {
  cells: [{ cell_type: "code", source: ["print(1)"], outputs: [{ output_type: "stream", text: "1\n" }] }],
  ...{ metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 },
};

it.each([
  ["letter.eml", MAIL, "message/rfc822", "From: Jürgen <j@example.com>\nSubject: x\n\nKäse"],
  [
    "study.ipynb",
    JSON.stringify(notebook),
    "application/x-ipynb+json",
    "```python\nprint(1)\n```\n\nOutput:\n```\n1\n```",
  ],
  ["novel.epub", epubOf({ "c.xhtml": "<h1>One</h1><p>chapter" }), "application/epub+zip", "# One\nchapter"],
  ["letter.rtf", String.raw`{\rtf1\ansi caf\'e9}`, "application/rtf", "café"],
  ["data.json", '{"cells":[]}', "text/plain", '{"cells":[]}'],
])("the uploaded file %s is read as its text", async (name, bytes, type, expected) => {
  expect(await read(name, bytes)).toEqual({ type, text: expected });
});

const modules = new URL("../../../node_modules/", import.meta.url);

it.each([
  [
    "eml-format/test/fixtures/sample.eml",
    [
      "From: Online Shop <no-reply@example.com>",
      "Subject: Winter promotions",
      "Integer vestibulum in sem nec vestibulum.",
    ],
    "- nodejs.png (image/png, 20269 bytes)",
  ],
  [
    "eml-format/test/fixtures/multipart.eml",
    ["Subject: Multi-part boundary", "please see attached"],
    "- tired_boot.FJ010019.jpeg (image/jpeg, 10442 bytes)",
  ],
  [
    "nbformat/tests/test4.ipynb",
    ["# nbconvert latex test", '```\nprint("hello")\n```\n\nOutput:\n```\nhello\n```', "HTML\n```"],
    "[picture]",
  ],
  ["nbformat/tests/test3.ipynb", ["## Pyout", '```python\nprint("hello")\n```'], "[picture]"],
  [
    "pdf-to-text/test/test_data/multipage_searchable.pdf",
    ["[Page 1]\nSampling\nby David A. Freedman", "extrapolation from the part to the\nwhole", "Berkeley, CA 94720"],
    "[Page 8]",
  ],
])("the file %s of a package, which another program wrote, is read", async (path, words, last) => {
  const bytes = await readFile(new URL(path, modules));
  const { text, remark } = await read(path.slice(path.lastIndexOf("/") + 1), bytes);
  for (const word of [...words, last]) expect(text).toContain(word);
  expect(text).not.toMatch(/[A-Za-z0-9+/]{200}/);
  expect(remark).toBeUndefined();
});
