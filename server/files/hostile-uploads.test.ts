import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { canvasJpeg } from "../../testing/files/canvas-pictures.ts";
import { docxOf, odtOf, runOf, zipOf } from "../../testing/files/documents.ts";
import { linesOf, pdfFileOf, pdfObjects, pdfOf } from "../../testing/files/pdf-files.ts";
import {
  GIF_TRAILER,
  gifHeader,
  gifPixel,
  jpegSegment,
  PNG_END,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
} from "../../testing/files/picture-encoders.ts";
import { putFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readEvents } from "../../testing/http/read-events.ts";

let chat: ScriptedChat;
let eve: TestAccount;
let nextWord: () => Promise<void>;
beforeAll(async () => {
  chat = await startScriptedChat();
  await chat.renew();
  eve = await signUp(chat.app);
  nextWord = await beginReply();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Words of the other reply that are awaited during an upload. */
const WORDS = 3;
const MEGA = 1_000_000;
const many = (part: string, count: number) => Buffer.alloc(part.length * count, part, "latin1");
const ODT = { mimetype: "application/vnd.oasis.opendocument.text" };

/** The entry that names the kind of a document of Office. */
const kindOf = (kind: string) => ({
  "[Content_Types].xml": `<Types><Override PartName="/x" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
});
const kinds = {
  docx: { more: kindOf("wordprocessingml.document"), main: "word/document.xml" },
  xlsx: { more: kindOf("spreadsheetml.sheet"), main: "xl/workbook.xml" },
  pptx: { more: kindOf("presentationml.presentation"), main: "ppt/presentation.xml" },
  odt: { more: ODT, main: "content.xml" },
};
const tooComplex = { status: 200, remark: "too-complex" };
const read = (text: string) => ({ status: 200, text });
const broken = { status: 400, code: "file-broken" };
const tooLarge = { status: 413, code: "picture-too-large" };

/** Entities that stand for each other: a billion words if they were expanded. */
const laughs = `<!DOCTYPE x [<!ENTITY l0 "lol">${Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
).join("")}]>`;

/** A PDF whose page draws these commands. `more`: further objects, from the sixth on. */
const pdfDrawing = (commands: string, more: string[] = [], resources = "") => {
  const objects = [...pdfObjects([`${linesOf("Fine")} ${commands}`]), ...more];
  objects[3] = `<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 3 0 R>>${resources}>>/MediaBox[0 0 612 792]/Contents 5 0 R>>`;
  return pdfFileOf(objects);
};
/** Replaces an object of a PDF by another of the same length. */
const withObject = (pdf: Buffer, before: string, after: string) =>
  Buffer.from(pdf.toString("latin1").replace(before, after.padEnd(before.length)), "latin1");

const jpegFrame = (width: number, height: number) =>
  jpegSegment(0xc0, Buffer.from([8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0]));
const startOfJpeg = canvasJpeg.subarray(0, 2);

/** `any`: refused as broken, or without the content of the inner archives. */
type Expected = { status: number | "any"; remark?: string; text?: string; code?: string };
type Bomb = [label: string, name: string, bytes: () => Uint8Array, expected: Expected];

const bombs: Bomb[] = [
  ...Object.entries(kinds).flatMap(([extension, { more, main }]): Bomb[] => [
    [
      `a ${extension} that inflates a thousandfold`,
      `a.${extension}`,
      () => zipOf({ ...more, [main]: many("a", 10 * MEGA) }),
      tooComplex,
    ],
    [
      `a ${extension} of archives in archives`,
      `a.${extension}`,
      () => zipOf({ ...more, [main]: zipOf({ [main]: zipOf({ [main]: many("a", 3 * MEGA) }) }) }),
      { status: "any" },
    ],
  ]),
  [
    "a docx of 6,000 entries",
    "a.docx",
    () =>
      zipOf({ ...kinds.docx.more, ...Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`x/${at}`, ""])) }),
    tooComplex,
  ],
  [
    "a docx of a billion laughs",
    "a.docx",
    () => docxOf("", { ...kinds.docx.more, "word/document.xml": `${laughs}<w:p>${runOf("&l9;")}</w:p>` }),
    read("&l9;"),
  ],
  ["an odt of a billion laughs", "a.odt", () => odtOf(`${laughs}<text:p>&l9;</text:p>`), read("&l9;")],
  [
    "an SVG of a billion laughs",
    "a.svg",
    () => Buffer.from(`${laughs}<svg>&l9;</svg>`),
    read(`${laughs}<svg>&l9;</svg>`),
  ],
  ["a docx of elements in elements", "a.docx", () => docxOf("<w:p>".repeat(100_000), kinds.docx.more), read("")],
  ["a PDF of arrays in arrays", "a.pdf", () => pdfDrawing(`${"[".repeat(MEGA)} TJ`), read("Fine")],
  ["a PDF of dictionaries in dictionaries", "a.pdf", () => pdfDrawing("", ["<</A".repeat(300_000)]), read("Fine")],
  [
    "a PDF whose form draws itself",
    "a.pdf",
    () =>
      pdfDrawing(
        "/X Do",
        [
          "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>/Length 5>>stream\n/X Do\nendstream",
        ],
        "/XObject<</X 6 0 R>>",
      ),
    read("Fine"),
  ],
  [
    "a PDF whose page tree contains itself",
    "a.pdf",
    () => withObject(pdfOf("Fine"), "/Count 1/Kids[4 0 R]", "/Count 9/Kids[2 0 R]"),
    broken,
  ],
  [
    "a PDF whose table of objects names itself as the one before",
    "a.pdf",
    () => {
      const pdf = pdfOf("Fine");
      const [, start = "0"] = /startxref\n(\d+)/.exec(pdf.toString("latin1")) ?? [];
      return Buffer.from(pdf.toString("latin1").replace("/Root 1 0 R", `/Root 1 0 R/Prev ${start}`), "latin1");
    },
    read("Fine"),
  ],
  [
    "a PDF whose stream has itself as its length",
    "a.pdf",
    () =>
      Buffer.from(
        pdfOf("Fine")
          .toString("latin1")
          .replace(/\/Length \d+/, "/Length 5 0 R"),
        "latin1",
      ),
    read("Fine"),
  ],
  [
    "a PNG of 60,000 × 60,000 pixels",
    "a.png",
    () => Buffer.concat([PNG_SIGNATURE, pngHeader(60_000, 60_000), pngChunk("IDAT", "x"), PNG_END]),
    tooLarge,
  ],
  [
    "a JPEG of 65,535 × 65,535 pixels",
    "a.jpg",
    () => Buffer.concat([startOfJpeg, jpegFrame(65_535, 65_535), canvasJpeg.subarray(2)]),
    tooLarge,
  ],
  [
    "a JPEG with a second frame of other dimensions",
    "a.jpg",
    () => Buffer.concat([startOfJpeg, jpegFrame(10, 10), jpegFrame(65_535, 65_535), canvasJpeg.subarray(2)]),
    broken,
  ],
  [
    "a GIF of 100,000 frames",
    "a.gif",
    () => {
      const frame = gifPixel();
      return Buffer.concat([gifHeader(1, 1), Buffer.alloc(100_000 * frame.length, frame), GIF_TRAILER]);
    },
    broken,
  ],
  [
    "a GIF with a later frame of 40,000 × 40,000 pixels",
    "a.gif",
    () =>
      Buffer.concat([
        gifHeader(1, 1),
        gifPixel(),
        gifPixel().fill(Buffer.of(0x40, 0x9c, 0x40, 0x9c), 5, 9),
        GIF_TRAILER,
      ]),
    tooLarge,
  ],
];

/** Words of Eve's running reply, one for each call, each through the provider, the server and her connection. */
async function beginReply(): Promise<() => Promise<void>> {
  const eveChat = await chat.createChat(eve);
  const body = { message: "[scenario:held] Go on", model: "GPT:gpt-5-mini" };
  const response = await chat.app.call("POST", `${conversationPaths.chatSend(eveChat)}?stream=1`, {
    token: eve.token,
    body,
  });
  const events = readEvents(response);
  let words = 0;
  return async () => {
    const word = `word-${++words} `;
    chat.provider.release(word);
    for (let text = ""; !text.includes(word); ) {
      const { value, done } = await events.next();
      if (done) throw new Error("The reply has ended");
      if (value !== "[DONE]") text += value.token ?? "";
    }
  };
}

describe("M4 hostile uploads during another account's reply", () => {
  it.each(bombs)(
    "M4 the upload of %s ends within its budget while another account's reply is written",
    async (_label, name, bytes, { status, remark, text, code }) => {
      let isAnswered = false;
      const upload = putFile(chat.app, { ...chat.ada, name, bytes: bytes() }).finally(() => {
        isAnswered = true;
      });
      let words = 0;
      for (let count = 0; count < WORDS && !isAnswered; count++) {
        await nextWord();
        if (!isAnswered) words++;
      }
      const response = await upload;
      // A picture may be refused, and a small text read, before the first word.
      if (!/\.(?:png|jpg|gif|svg)$/.test(name)) expect(words).toBeGreaterThan(0);
      if (status === "any") return expect((await response.text()).length).toBeLessThan(1000);
      expect(response.status).toBe(status);
      if (code !== undefined) return expect((await problemOf(response)).code).toBe(code);
      const { file } = (await response.json()) as Upload;
      expect(file?.remark).toBe(remark);
      const readable = await chat.app.call("GET", filePaths.fileText(file?.id ?? ""), chat.ada);
      expect(await readable.json()).toEqual({ text: text ?? "", ...(remark && { remark }) });
    },
  );

  it("M4 costly documents take one of two slots, so that a picture of another account does not wait for them", async () => {
    const slow = pdfFileOf(pdfObjects([Buffer.alloc(4 * MEGA, "q Q ")]));
    const ended: string[] = [];
    const upload = async (owner: string, { token }: TestAccount, bytes: Uint8Array, id = crypto.randomUUID()) => {
      const response = await putFile(chat.app, { token, id, name: owner, bytes });
      ended.push(owner);
      return response.status;
    };
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    const costly = ids.map((id) => upload("ada", chat.ada, slow, id));
    const offset = async (id: string) =>
      (await chat.app.call("HEAD", filePaths.file(id), chat.ada)).headers.get("upload-offset");
    // All bytes are here.
    for (const id of ids) await expect.poll(() => offset(id)).toBe(String(slow.length));
    expect(await upload("eve", eve, canvasJpeg)).toBe(200);
    expect(ended[0]).toBe("eve");
    expect(await Promise.all(costly)).toEqual([200, 200]);
  });

  it("hostile uploads count once each, and refused ones no more", async () => {
    await expectExactCounters(chat.app.context.database);
  });
});
