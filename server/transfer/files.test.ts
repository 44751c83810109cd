import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUpProved, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { filesIn, namedFiles, restore, unpack } from "../../testing/files/archives.ts";
import { canvasPng } from "../../testing/files/canvas-pictures.ts";
import { docxOf, runOf } from "../../testing/files/documents.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { taggedPictures } from "../../testing/files/pictures.ts";
import { uploadFile } from "../../testing/files/upload.ts";

const CONTENT_TYPES = `<Types><Override PartName="/word/document.xml"
  ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const MODEL = "GPT:gpt-5-mini";
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ MAX_FILES_PER_MESSAGE: "20" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await chat.renew();
  await chat.app.call("POST", accountPaths.proof, { token: chat.ada.token, body: { password: chat.ada.password } });
});

const call = (method: string, path: string, { token }: TestAccount = chat.ada, body?: unknown) =>
  chat.app.call(method, path, { token, ...(body !== undefined && { body }) });
const upload = (name: string, bytes: Uint8Array | string, account = chat.ada) =>
  uploadFile(chat.app, { token: account.token, name, bytes });
const bytesOf = async (id: string, account: TestAccount) =>
  Buffer.from(await (await call("GET", filePaths.file(id), account)).arrayBuffer());

describe("exports with files", () => {
  it("an export with files is a zip that another account imports, byte for byte", async () => {
    const pictures = taggedPictures();
    const uploaded: AttachedFile[] = [];
    for (const { type, tagged } of pictures) uploaded.push(await upload(`view.${type.slice(6)}`, tagged));
    uploaded.push(await upload("report.pdf", pdfOf("One", "Two")));
    uploaded.push(
      await upload("letter.docx", docxOf(`<w:p>${runOf("Dear Ada")}</w:p>`, { "[Content_Types].xml": CONTENT_TYPES })),
    );
    uploaded.push(await upload("Fjörds <b>.md", "# Fjörds"));
    const ids = uploaded.map(({ id }) => id);
    // The first question has no text, and the edited one names a file too.
    await chat.send({ message: "", model: MODEL, files: ids });
    const [first] = (await chat.open()).messages;
    await chat.send({ message: "Edited", model: MODEL, files: ids.slice(0, 1), parent: null, branch: true });
    const response = await call("GET", transferPaths.export);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="Parley \d{4}-\d\d-\d\d\.zip"/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const archive = await unpack(response);
    expect(archive.files.size).toBe(uploaded.length);
    for (const [at, { clean }] of pictures.entries()) expect(archive.files.get(ids[at] ?? "")).toEqual(clean);
    const other = await signUpProved(chat.app);
    expect(await restore(chat.app, archive, other)).toMatchObject({ imported: 1, problems: [] });
    for (const [id, bytes] of archive.files) expect((await bytesOf(id, other)).equals(bytes)).toBe(true);
    expect(await namedFiles(chat.app, other)).toEqual([...ids, ids[0] ?? ""].sort());
    const again = await unpack(await call("GET", transferPaths.export, other));
    expect(again.files).toEqual(archive.files);
    expect(filesIn(again.document)).toEqual(filesIn(archive.document));
    expect(again.document.chats[0]?.messages[0]).toMatchObject({ content: "", role: "user" });
    expect(filesIn(again.document).slice(0, ids.length)).toEqual(first?.parts);
    await expectExactCounters(chat.app.context.database);
  });

  it("an export contains the files of its chats only, and is JSON for chats without files", async () => {
    const [own, other, deleted] = [
      await upload("own.txt", "Own"),
      await upload("other.txt", "Other"),
      await upload("a.txt", "A"),
    ];
    await upload("unsent.txt", "Unsent");
    const ids = [chat.chatId, await chat.createChat(), await chat.createChat(), await chat.createChat()] as const;
    for (const [at, file] of [own, other, deleted].entries()) {
      const body = { message: "What is this?", model: MODEL, files: [file.id] };
      expect((await call("POST", conversationPaths.chatSend(ids[at] ?? ""), chat.ada, body)).status).toBe(200);
    }
    await call("DELETE", conversationPaths.chat(ids[2]));
    const single = await call("GET", `${transferPaths.chatExport(ids[1])}?format=json`);
    expect(single.headers.get("content-disposition")).toMatch(/^attachment; filename=".+\.zip"/);
    const { document, names } = await unpack(single);
    expect([document.chats.length, names]).toEqual([1, [`files/${other.id}-other.txt`]]);
    const json = await call("GET", `${transferPaths.chatExport(ids[3])}?format=json`);
    expect(json.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const all = await unpack(await call("GET", transferPaths.export));
    expect(all.names).toEqual([`files/${own.id}-own.txt`, `files/${other.id}-other.txt`].sort());
    await call("DELETE", conversationPaths.chat(ids[0]));
    await call("DELETE", conversationPaths.chat(ids[1]));
    expect((await call("GET", transferPaths.export)).headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
  });

  it("M1 an export contains no files of another account under the same id", async () => {
    const eve = await signUpProved(chat.app);
    const file = await upload("own.txt", "Own");
    await chat.send({ model: MODEL, files: [file.id] });
    await uploadFile(chat.app, { token: eve.token, id: file.id, name: "eve.txt", bytes: "Secret" });
    const { files } = await unpack(await call("GET", transferPaths.export));
    expect(files.get(file.id)?.toString()).toBe("Own");
    expect((await call("GET", transferPaths.export, eve)).headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
  });
});

it("an HTML file shows small pictures and names other files, and Markdown names all", async () => {
  const name = "a`b*<i>.txt";
  const files = [
    await upload("view.png", canvasPng),
    await upload("report.pdf", pdfOf("One")),
    await upload(name, "Text"),
  ];
  await chat.send({ message: "What is this?", model: MODEL, files: files.map(({ id }) => id) });
  const page = await call("GET", `${transferPaths.chatExport(chat.chatId)}?format=html`);
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  expect(page.headers.get("content-security-policy")).toBe(policy);
  const html = await page.text();
  const picture = `<img src="data:image/png;base64,${canvasPng.toString("base64")}" alt="view.png" width="13" height="7">`;
  expect(html).toContain(`${picture}\n<bdi>view.png</bdi> <small class="details">Picture · 0.3 kB</small>`);
  expect(html).toMatch(/<li><bdi>report\.pdf<\/bdi> <small class="details">PDF · \d\.\d kB<\/small><\/li>/);
  expect(html).toContain('<li><bdi>a`b*&lt;i&gt;.txt</bdi> <small class="details">File · 0.1 kB</small>');
  expect(html.match(/<img/g)).toHaveLength(1);
  const markdown = await (await call("GET", `${transferPaths.chatExport(chat.chatId)}?format=markdown`)).text();
  expect(markdown).toContain("\n\nAttached: view.png, report.pdf, a\\`b\\*\\<i\\>.txt\n\nWhat is this?\n");
});
