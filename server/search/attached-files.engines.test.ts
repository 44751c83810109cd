import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { SearchHit } from "#contract/conversation/search.ts";
import { HOUR } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { loopIterations } from "../../testing/app/loop-iterations.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { searchAll } from "../../testing/chats/search-for.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { docxOf, runOf } from "../../testing/files/documents.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { pngOf } from "../../testing/files/picture-encoders.ts";
import { putFile, uploadFile } from "../../testing/files/upload.ts";
import { indexFiles, removeEntries, tokeniseFiles } from "./search-index-store.ts";

const MODEL = "GPT:gpt-5-mini";
/** Names the kind of an office document. */
const contentTypes = {
  "[Content_Types].xml":
    '<Types><Override PartName="/word/document.xml" ContentType=' +
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
};

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  await chat.renew();
  chat.provider.reply = () => "Yes.";
});

const upload = async (name: string, bytes: string | Uint8Array) =>
  (await uploadFile(chat.app, { ...chat.ada, name, bytes })).id;
/** Sends a question with these files. @returns its id */
const ask = async (message: string, ...files: string[]): Promise<string> =>
  (await chat.send({ message, model: MODEL, files })).user_message.id;
const hits = (
  q: string,
  { token }: Pick<TestAccount, "token"> = chat.ada,
  more: Record<string, string | number> = {},
) => searchAll(chat.app, token, { q, ...more });
/** Returns the names of the files that a query finds, with their messages. */
const found = async (q: string) => (await hits(q)).map(({ file, messageId }) => [file?.name, messageId]);
const cut = (text: string, marks: readonly (readonly [number, number])[] = []) =>
  marks.map(([start, end]) => text.slice(start, end));
const markedIn = ({ snippet, marks }: SearchHit) => cut(snippet, marks);
const markedInName = ({ file }: SearchHit) => cut(file?.name ?? "", file?.marks);

describe("files as hits", () => {
  it("finds a file by its name, with or without its ending, regardless of case and accents, and by its beginning", async () => {
    const picture = pngOf(1, 1, Buffer.of(0, 1, 2, 3));
    const id = await upload("Crème brûlée-2024.png", picture);
    const question = await ask("Look", id);
    for (const q of ["creme brulee 2024.png", "CRÈME", "brul", "2024", "creme look png"]) {
      const expected = q.includes("look") ? [] : [["Crème brûlée-2024.png", question]];
      expect([q, await found(q)]).toEqual([q, expected]);
    }
    const [hit] = await hits("creme png");
    expect(hit).toMatchObject({ chatId: chat.chatId, messageId: question, role: "user", snippet: "", marks: [] });
    expect(hit?.file).toMatchObject({ id, name: "Crème brûlée-2024.png", type: "image/png" });
    expect(hit && markedInName(hit)).toEqual(["Crème", "png"]);
  });

  it("finds a file by name and text in scripts without spaces, anywhere in them", async () => {
    const question = await ask("Read", await upload("東京都の予算.txt", "今日の天気は晴れです。"));
    await ask("Read", await upload("other.txt", "東京 と 京都、天気 予報"));
    for (const q of ["東京都", "予算", "天気は", "東京都 晴れ"]) {
      expect([q, await found(q)]).toEqual([q, [["東京都の予算.txt", question]]]);
    }
    const [hit] = await hits("天気は 予算");
    expect([hit && markedIn(hit), hit && markedInName(hit)]).toEqual([["天気は"], ["予算"]]);
  });

  it.each([
    ["report.pdf", pdfOf("The glacier retreats", "Its moraine remains")],
    [
      "report.docx",
      docxOf(`<w:p>${runOf("The glacier retreats")}</w:p><w:p>${runOf("Its moraine remains")}</w:p>`, contentTypes),
    ],
    ["report.txt", "The glacier retreats\n\nIts `moraine` **remains**"],
  ])("finds the text of %s, with a snippet of it", async (name, bytes) => {
    const question = await ask("What is this?", await upload(name, bytes));
    const [hit, ...more] = await hits("moraine glac");
    expect(more).toEqual([]);
    expect(hit).toMatchObject({ messageId: question, file: { name, marks: [] }, role: "user" });
    expect(hit && markedIn(hit)).toEqual(["glac", "moraine"]);
    expect(hit?.snippet).toContain("The glacier retreats");
    // A file has no Markdown: nothing of it is removed.
    if (name.endsWith(".txt")) expect(hit?.snippet).toBe("The glacier retreats Its `moraine` **remains**");
  });

  it("finds a file by words of name and text together; its snippet is the beginning if only the name matches", async () => {
    await ask("Look", await upload("harbour.txt", "Cranes and gulls"));
    const [hit] = await hits("gulls harb");
    expect([hit && markedIn(hit), hit && markedInName(hit)]).toEqual([["gulls"], ["harb"]]);
    expect((await hits("harbour"))[0]).toMatchObject({ snippet: "Cranes and gulls", marks: [] });
  });

  it("ranks a file before messages with the same words if its name has them", async () => {
    await ask("Look", await upload("tidal-range.txt", "Numbers"));
    const later = await ask("More about the range of tidal flats");
    expect(await found("tidal range")).toEqual([
      ["tidal-range.txt", expect.any(String)],
      [undefined, later],
    ]);
  });

  it("finds a file with each filter that its message has", async () => {
    await ask("Look", await upload("fjord.txt", "Sognefjord"));
    const [hit] = await hits("sogne");
    const at = hit?.at ?? 0;
    const named = async (more: Record<string, string | number>) =>
      (await hits("sogne", chat.ada, more)).map(({ file }) => file?.name);
    expect(await named({ role: "user", from: at, to: at })).toEqual(["fjord.txt"]);
    for (const more of [
      { role: "assistant" },
      { model: MODEL },
      { from: at + 1 },
      { to: at - 1 },
      { folder: "other" },
    ]) {
      expect([more, await named(more)]).toEqual([more, []]);
    }
    const made = await chat.app.call("POST", conversationPaths.folders, {
      token: chat.ada.token,
      body: { name: "Water" },
    });
    const { id: folderId } = (await made.json()) as { id: string };
    await chat.call("PATCH", "", { folderId, isArchived: true });
    expect(await hits("sogne", chat.ada, { folder: folderId })).toMatchObject([{ folderId, isArchived: true }]);
  });

  it("finds a file only once it is sent, and by its account only", async () => {
    const eve = await signUp(chat.app);
    const id = await upload("canary.txt", "A canary sings");
    expect(await hits("canary")).toEqual([]);
    await ask("Look", id);
    expect(await hits("sings")).toHaveLength(1);
    const own = await uploadFile(chat.app, { ...eve, id, name: "canary of eve.txt", bytes: "Another sings" });
    const other = await chat.createChat(eve);
    const body = { message: "Look", model: MODEL, files: [own.id] };
    await (await chat.app.call("POST", conversationPaths.chatSend(other), { token: eve.token, body })).text();
    expect((await hits("sings", eve)).map(({ file, snippet }) => [file?.name, snippet])).toEqual([
      ["canary of eve.txt", "Another sings"],
    ]);
    expect(await found("sings")).toMatchObject([["canary.txt", expect.any(String)]]);
    expect([await hits("another", eve), await found("another"), await found("eve")]).toMatchObject([[{}], [], []]);
  });
});

describe("files of several messages", () => {
  it("finds a file at each of its messages, also at an edited question, until the message is removed", async () => {
    const id = await upload("fjord.txt", "Sognefjord");
    const first = await ask("First", id);
    const { messages } = await chat.open();
    const body = { message: "Edited", model: MODEL, files: [id], parent: messages[0]?.parent ?? null, branch: true };
    const edited = (await chat.send(body)).user_message.id;
    const other = await chat.createChat();
    const again = { token: chat.ada.token, body: { message: "Again", model: MODEL, files: [id] } };
    await (await chat.app.call("POST", conversationPaths.chatSend(other), again)).text();
    const chatsOf = async () => (await hits("sogne")).map(({ chatId, messageId }) => [chatId, messageId]);
    expect(await chatsOf()).toEqual([
      [other, expect.any(String)],
      [chat.chatId, edited],
      [chat.chatId, first],
    ]);
    await chat.app.call("DELETE", conversationPaths.chat(other), { token: chat.ada.token });
    expect((await chatsOf()).map(([chatId]) => chatId)).toEqual([chat.chatId, chat.chatId]);
    const { database } = chat.app.context;
    await database.deleteFrom("messages").where("id", "=", edited).execute();
    expect(await chatsOf()).toEqual([[chat.chatId, first]]);
  });

  it("indexes a file once for each message, also if it is named again", async () => {
    const { database } = chat.app.context;
    const { id: userId } = chat.ada.user;
    const id = await upload("fjord.txt", "Sognefjord");
    const question = await ask("First", id);
    const tokens = await tokeniseFiles(database, userId, [id]);
    const index = () => indexFiles(database, userId, [question], tokens);
    await index();
    expect(await hits("sogne")).toHaveLength(1);
    await database.deleteFrom("search_entries").where("file_id", "=", id).execute();
    const eve = await signUp(chat.app);
    await indexFiles(database, eve.user.id, [question], tokens);
    expect(await hits("sogne")).toEqual([]);
    await expect(indexFiles(database, userId, [question], new Map())).rejects.toMatchObject({ code: "file-gone" });
    await index();
    expect(await hits("sogne")).toHaveLength(1);
  });
});

it("an incomplete upload is not indexed", async () => {
  const id = crypto.randomUUID();
  await putFile(chat.app, { ...chat.ada, id, bytes: "Half ", range: "bytes 0-4/10" });
  expect(await tokeniseFiles(chat.app.context.database, chat.ada.user.id, [id])).toEqual(new Map());
});

describe("M6 removed files", () => {
  /** Returns the tables and files of the data folder that contain a marker. */
  async function tracesOf(marker: string): Promise<string[]> {
    const { database } = chat.app.context;
    const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
    const traces: string[] = [];
    const note = (name: string, content: string) => content.toLowerCase().includes(marker) && traces.push(name);
    for (const { name } of tables) {
      note(name, JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(database)).rows));
    }
    const entries = await readdir(chat.app.dataDir, { recursive: true, withFileTypes: true });
    for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
      note(name, name);
      note(name, await readFile(join(parentPath, name), "latin1"));
    }
    return traces;
  }

  /** Asks about a file whose name and text have markers, which its question has not. */
  async function askAboutMarkers(n: number): Promise<string[]> {
    const [name, word] = [`xmarkname${n}`, `ymarkword${n}`];
    await ask("Look", await upload(`${name}.txt`, `The ${word}`));
    expect([await hits(name), await hits(word)]).toMatchObject([[{ snippet: `The ${word}` }], [{}]]);
    // Without their first letters, because the index may store a common prefix once.
    return [name.slice(1), word.slice(1)];
  }

  it("a removed file is found nowhere after its chat was removed", async () => {
    const [name = "", word = ""] = await askAboutMarkers(41);
    expect([await tracesOf(name), await tracesOf(word)].map((traces) => traces.length > 1)).toEqual([true, true]);
    await chat.call("DELETE", "");
    expect(await hits("xmarkname41")).toEqual([]);
    const { database, sweep } = chat.app.context;
    const deleted = database.updateTable("chats").where("id", "=", chat.chatId);
    await deleted.set({ deleted_at: Date.now() - 2 * HOUR }).execute();
    await sweep.run();
    expect([await tracesOf(name), await tracesOf(word)]).toEqual([[], []]);
  });

  it("a removed file is found nowhere after its account was removed", async () => {
    const [name = "", word = ""] = await askAboutMarkers(57);
    const { token, password, user } = chat.ada;
    await chat.app.call("POST", accountPaths.proof, { token, body: { password } });
    await chat.app.call("POST", accountPaths.accountDeletion, { token, body: { isImmediate: true } });
    const { database, sweep } = chat.app.context;
    const rows = () => database.selectFrom("search_entries").selectAll().where("user_id", "=", user.id).execute();
    await expect.poll(rows).toEqual([]);
    await sweep.run();
    expect([await tracesOf(name), await tracesOf(word)]).toEqual([[], []]);
  });

  it("a long removed file leaves the index in a step of its own on SQLite", async () => {
    const text = "Albatross ".repeat(1000);
    await ask("Look", await upload("a.txt", text), await upload("b.txt", text), await upload("c.txt", "Short"));
    const { database } = chat.app.context;
    const left: number[] = [];
    const count = async () => left.push((await hits("txt")).length);
    for (await count(); await removeEntries(database, chat.ada.user.id); await count());
    const steps = left.slice(1).map((now, at) => (left[at] ?? 0) - now);
    expect([left[0], left.at(-1), Math.max(...steps)]).toEqual([3, 0, isOnPostgres ? 3 : 1]);
  });

  it("a file has no search entry once its row is deleted", async () => {
    const id = await upload("fjord.txt", "Sognefjord");
    await ask("Look", id);
    const { database } = chat.app.context;
    await database.deleteFrom("files").where("id", "=", id).execute();
    expect(await database.selectFrom("search_entries").selectAll().where("file_id", "=", id).execute()).toEqual([]);
  });
});

describe("K1 long files", () => {
  const filler = (from: number, words: number) =>
    Array.from({ length: words }, (_, n) => `w${((from + n) % 4000).toString(36)}`).join(" ");

  it("a file of 5 MB is tokenised in slices, and found", async () => {
    const text = filler(0, 1_200_000);
    expect(text.length).toBeGreaterThan(5_000_000);
    const id = await upload("a.txt", text);
    const { database } = chat.app.context;
    const { iterations, result: tokens } = await loopIterations(() => tokeniseFiles(database, chat.ada.user.id, [id]));
    expect([...tokens.keys()]).toEqual([id]);
    // The text takes more than a hundred milliseconds, and a slice five.
    expect(iterations).toBeGreaterThan(10);
    const question = await ask("Look", id);
    expect(await found("w3 txt")).toEqual([["a.txt", question]]);
  });

  it("finds words far from the beginning of a long file, with the densest of them as its snippet", async () => {
    const apart = ["common ".repeat(400), "glacier", "calves", "calves"].map((words) => `${words} ${filler(9, 100)}`);
    const text = [
      ...[
        "iceglacier ".repeat(60),
        filler(0, 60_000),
        ...apart,
        filler(3, 40_000),
        "an Ænglish Glacïer near 東京都庁 calves",
      ],
      ...[filler(5, 20_000), "cre\u0300me noire ΕΛΛΆΔΑ ёлка ＡＢＣ", filler(7, 20_000)],
    ].join(" ");
    expect(text.length).toBeLessThan(1_000_000);
    await ask("Look", await upload("long.txt", text));
    for (const [q, marked] of [
      ["glacier calv", ["Glacïer", "calv"]],
      ["common glacier", ["glacier"]],
      ["京都庁", ["京都庁"]],
      ["calves 東京都", ["東京都", "calves"]],
      ["creme", ["cre\u0300me"]],
      ["Crème noir", ["cre\u0300me", "noir"]],
      ["ελλαδα", ["ΕΛΛΆΔΑ"]],
      ["елка abc", ["ёлка", "ＡＢＣ"]],
    ] as const) {
      const [hit] = await hits(q);
      expect([q, hit && markedIn(hit)]).toEqual([q, marked]);
    }
    // Contains each pair of characters of the query, but not the whole query.
    await ask("Look", await upload("other.txt", `${filler(0, 100_000)} 東京 京都 都庁`));
    expect((await hits("東京都庁")).map(({ file }) => file?.name)).toEqual(["long.txt"]);
  });

  it("the snippet is the beginning of a long file if its words cannot be located", async () => {
    // A ligature is two letters, which patterns do not find.
    await ask("Look", await upload("long.txt", `${filler(0, 20_000)} ﬂuvial`));
    await ask("Look", await upload("short.txt", `${filler(0, 1000)} ﬂuvial`));
    const found = (await hits("fluvial")).map((hit) => [hit.file?.name, markedIn(hit)]);
    expect(found).toEqual([
      ["short.txt", ["ﬂuvial"]],
      ["long.txt", []],
    ]);
  });
});
