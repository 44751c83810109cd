import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TemporaryRequest } from "#contract/conversation/temporary.ts";
import { MEGABYTE } from "#contract/limits.ts";
import type { TestAccount } from "../../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { type AskedMessage, askTemporary } from "../../../testing/chats/temporary-request.ts";
import { allRows } from "../../../testing/database/all-rows.ts";
import { odtOf, zipOf } from "../../../testing/files/documents.ts";
import { pdfOf, scannedPdf } from "../../../testing/files/pdf-files.ts";
import { GPS_LATITUDE, METADATA_MARKER, taggedPictures } from "../../../testing/files/pictures.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { readEvents, readReply } from "../../../testing/http/read-events.ts";

const MODEL = "GPT:gpt-5-mini";
const RESPONSES = "GPT:by-responses";
const MESSAGES = "CLAUDE:by-messages";
const BLIND = "GPT:blind";
const HELD = "[scenario:held]";
const facts = { contextTokens: 100_000, maxOutputTokens: 1000 };
const seeing = { ...facts, images: true, pdf: true };
const models = [
  { ...seeing, label: "Chat completions", value: MODEL, api: "chat-completions" },
  { ...seeing, label: "Responses", value: RESPONSES, api: "responses" },
  { ...seeing, label: "Messages", value: MESSAGES },
  { ...facts, label: "Blind", value: BLIND, images: false, pdf: false },
];

let folder: string;
let chat: ScriptedChat;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-models-"));
  const file = join(folder, "models.json");
  await writeFile(file, JSON.stringify({ groups: [{ label: "All", models }] }));
  chat = await startScriptedChat({ RATE_LIMITS: "off", MAX_FILES_PER_MESSAGE: "3", MODELS_FILE: file });
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

type Asking = { account?: TestAccount; signal?: AbortSignal; app?: ScriptedChat["app"]; cut?: number };

const ask = (messages: AskedMessage[], more: Partial<TemporaryRequest> = {}, call: Asking = {}) =>
  askTemporary(messages, { model: MODEL, ...more }, { app: chat.app, account: chat.ada, ...call });

const refusal = async (response: Response) => {
  const { code, file } = await problemOf(response);
  return [response.status, code, ...(file === undefined ? [] : [file])];
};
const countOf = ({ user }: TestAccount = chat.ada) => chat.app.context.temporaryReplies.countOf(user.id);
const sentFiles = () => chat.provider.chats.at(-1)?.messages.flatMap(({ files = [] }) => files) ?? [];

async function noticesOf(response: Response) {
  const notices: unknown[] = [];
  for await (const event of readEvents(response)) {
    if (event !== "[DONE]" && event.part?.kind === "notice") notices.push(event.part);
  }
  return notices;
}

describe("temporary questions with files", () => {
  it.each([
    ["chat completions", MODEL],
    ["responses", RESPONSES],
    ["messages", MESSAGES],
  ])("the bytes of pictures and documents reach a model by the wire of %s", async (_, model) => {
    const [picture] = taggedPictures();
    if (!picture) throw new Error("There is no picture");
    const pdf = pdfOf("Fjords are deep");
    const files = [
      { name: picture.name, bytes: picture.tagged },
      { name: "Report.pdf", bytes: pdf },
      { name: "Depths.csv", bytes: "Sogne,1308" },
      { name: "Plan.odt", bytes: odtOf("<text:p>A plan of the coast</text:p>") },
    ];
    const [first, ...others] = files;
    const response = await ask([{ files: [first ?? {}] }, "I see", { text: "And these?", files: others }], { model });
    expect(response.status).toBe(200);
    expect(await readReply(response)).toMatchObject({ text: chat.provider.reply, isDone: true });
    const sent = sentFiles();
    expect(sent.map(({ type }) => type)).toEqual([picture.type, "application/pdf"]);
    expect(sent[0]?.bytes.equals(picture.clean)).toBe(true);
    expect(sent[1]?.bytes.equals(pdf)).toBe(true);
    const [before, , last] = chat.provider.chats.at(-1)?.messages ?? [];
    expect(before?.content).toContain("What is in it?");
    for (const words of ["Depths.csv", "Sogne,1308", "Plan.odt", "A plan of the coast", "And these?"]) {
      expect(last?.content).toContain(words);
    }
  });

  it("a temporary question with files may have no text", async () => {
    expect((await readReply(await ask([{ text: "", files: [{ bytes: "Only this" }] }]))).isDone).toBe(true);
    expect(JSON.stringify(chat.provider.chats[0]?.body)).toContain("Only this");
  });

  it("M2 the pictures of a temporary question lose their metadata before a provider receives them", async () => {
    // An animation is not sent as it is.
    for (const { name, tagged } of taggedPictures().filter(({ type }) => type !== "image/gif")) {
      await readReply(await ask([{ files: [{ name, bytes: tagged }] }]));
      const [file] = sentFiles();
      expect([name, file?.bytes.includes(METADATA_MARKER), file?.bytes.includes(GPS_LATITUDE)]).toEqual([
        name,
        false,
        false,
      ]);
    }
  });

  it("M5 the files of a temporary question have harmless names in the prompt", async () => {
    await readReply(await ask([{ files: [{ name: "../../etc/\u202Epass\u0007wd.txt" }] }]));
    const asked = chat.provider.chats[0]?.messages[0]?.content ?? "";
    expect(asked).toContain('The file "passwd.txt" is attached.');
  });

  it("a temporary reply has notices of files that the model did not receive whole, as in stored chats", async () => {
    const [id, pdf, broken] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const files = [
      { id, name: "photo.png", bytes: taggedPictures().find(({ type }) => type === "image/png")?.tagged ?? "" },
      { id: pdf, name: "Report.pdf", bytes: pdfOf("Words") },
      { id: broken, name: "Scan.pdf", bytes: scannedPdf() },
    ];
    const notices = await noticesOf(await ask([{ files }], { model: BLIND }));
    expect(notices).toMatchObject([
      { code: "file", params: { file: id, name: "photo.png", received: "none" } },
      { code: "file", params: { file: pdf, name: "Report.pdf", received: "text" } },
      { code: "file", params: { file: broken, name: "Scan.pdf", received: "none" } },
    ]);
  });
});

async function dataOf(dataDir: string): Promise<string> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map((file) => readFile(join(file.parentPath, file.name), "latin1"));
  return [...entries.map(({ name }) => name), ...(await Promise.all(contents))].join("\n");
}

it("M6 stores no byte or name of a temporary file in a row, a file or the log, however the request ends", async () => {
  const before = (await allRows(chat.app.context.database)).filter(
    (line) => !/^(account_months|daily_replies|model_calls) /.test(line),
  );
  const logged = chat.app.logLines.length;
  const files = [
    { name: "canarygull.txt", bytes: "A canarygull" },
    { name: "canarygull.pdf", bytes: pdfOf("canarygull") },
  ];
  await readReply(await ask([{ files }]));
  chat.provider.next("error-before-first-word", "overloaded");
  await readReply(await ask([{ files }]));
  await ask([{ files: [...files, { name: "canarygull.zip", bytes: zipOf({ canarygull: "canarygull" }) }] }]);
  await ask([{ files: [{ name: "canarygull.pdf", bytes: "%PDF-1.7 canarygull" }] }]);
  await ask([{ files }], {}, { cut: 3 }).catch(() => undefined);
  const leaving = new AbortController();
  await ask([{ text: HELD, files }], {}, { signal: leaving.signal });
  leaving.abort();
  await vi.waitUntil(() => countOf() === 0);
  const rows = await allRows(chat.app.context.database);
  expect(rows.join("\n")).not.toContain("canarygull");
  expect(rows.filter((line) => !/^(account_months|daily_replies|model_calls) /.test(line))).toEqual(before);
  expect(chat.app.logLines.slice(logged).join("\n")).not.toContain("canarygull");
  expect(await dataOf(chat.app.dataDir)).not.toContain("canarygull");
});

describe("temporary questions with refused files", () => {
  const id = crypto.randomUUID();
  const pixels = Buffer.from(taggedPictures().find(({ type }) => type === "image/png")?.clean ?? "");
  pixels.writeUInt32BE(60_000, 16);
  pixels.writeUInt32BE(60_000, 20);

  it.each<[string, unknown[], AskedMessage[]]>([
    ["is of another kind", [415, "file-type", id], [{ files: [{ id, name: "a.exe", bytes: "MZ\0\x01" }] }]],
    ["is damaged", [400, "file-broken", id], [{ files: [{ id, name: "a.pdf", bytes: "%PDF-1.7 nothing" }] }]],
    [
      "is damaged behind a good one",
      [400, "file-broken", id],
      [{ files: [{}, { id, name: "a.pdf", bytes: "%PDF-1.7 nothing" }] }],
    ],
    ["is empty", [400, "file-empty", id], [{ files: [{ id, bytes: "" }] }]],
    ["is one of too many", [409, "too-many-files"], [{ files: [{}, {}, {}, {}] }]],
  ])("refuses a temporary question before any model is called if its file %s", async (_, expected, messages) => {
    expect(await refusal(await ask(messages))).toEqual(expected);
    expect(chat.provider.requests).toEqual([]);
    // Its bytes are gone with it: the next one is accepted.
    expect((await readReply(await ask([{ files: [{}] }]))).isDone).toBe(true);
  });

  it("refuses a temporary question with a picture of too many pixels", async () => {
    expect(await refusal(await ask([{ files: [{ id, name: "a.png", bytes: pixels }] }]))).toEqual([
      413,
      "picture-too-large",
      id,
    ]);
  });

  it("refuses a file above MAX_FILE_MB, and files above 20 MB together, before their bytes are sent", async () => {
    const size = (mb: number) => ({ id: crypto.randomUUID(), size: mb * MEGABYTE, bytes: "" });
    const large = size(20.5);
    expect(await refusal(await ask([{ files: [large] }]))).toEqual([413, "file-too-large", large.id]);
    const conversation = [{ files: [size(7), size(7)] }, "Yes", { files: [size(6), { bytes: "more" }] }];
    expect(await refusal(await ask(conversation))).toEqual([413, "files-too-large"]);
    expect(chat.provider.requests).toEqual([]);
  });

  it("refuses more than 100 files in a temporary conversation", async () => {
    const questions = Array.from({ length: 34 }, () => [{ files: [{}, {}, {}] }, "Yes"]).flat();
    expect(await refusal(await ask([...questions, { files: [], text: "And?" }]))).toEqual([409, "too-many-files"]);
  });

  it("refuses temporary files if attachments are switched off, and accepts a question without files", async () => {
    await using own = await startScriptedChat({ MAX_FILE_MB: "0" });
    await own.renew();
    const asking = { account: own.ada, app: own.app };
    expect(await refusal(await ask([{ files: [{}] }], {}, asking))).toEqual([403, "files-off"]);
    expect((await readReply(await ask(["Hello"], {}, asking))).isDone).toBe(true);
  });

  it("refuses a temporary question to an unknown model before its bytes are read", async () => {
    expect(await refusal(await ask([{ files: [{ size: 1000 }] }], { model: "GPT:none" }))).toEqual([
      400,
      "model-unknown",
    ]);
  });
});

it("M4 a bomb in a temporary question ends within its budget, and the reply notes that the model did not receive it", async () => {
  const bomb = zipOf({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": "a".repeat(30_000_000) });
  const notices = await noticesOf(await ask([{ files: [{ name: "bomb.odt", bytes: bomb }] }]));
  expect(notices).toMatchObject([{ code: "file", params: { name: "bomb.odt", received: "none" } }]);
});
