import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signUp } from "../../../../testing/accounts/sign-up.ts";
import { type ScriptedEngine, startSearchEngine } from "../../../../testing/browsing/search-engines.ts";
import { startChatWithModels } from "../../../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { askTemporary } from "../../../../testing/chats/temporary-request.ts";
import { linesOf, pdfFileOf, pdfObjects } from "../../../../testing/files/pdf-files.ts";
import { pngOf } from "../../../../testing/files/picture-encoders.ts";
import { uploadFile } from "../../../../testing/files/upload.ts";
import { readEvents, readReply } from "../../../../testing/http/read-events.ts";
import type { WireCall } from "../../../../testing/provider/wire.ts";
import { scriptCalls, wireCall } from "../../../../testing/tools/script-calls.ts";
import { wordsOfPages } from "../../../../testing/tools/words-of-pages.ts";

const CALLING = "GPT:calling";
const UNKNOWN = "GPT:unknown";
const TEXT_ONLY = "GPT:text-only";
const facts = {
  contextTokens: 16_000,
  maxOutputTokens: 500,
  images: false,
  pdf: false,
  api: "chat-completions",
} as const;
const models = [
  { ...facts, label: "Calling", value: CALLING, tools: true },
  { ...facts, label: "Unknown", value: UNKNOWN },
  { ...facts, label: "Text only", value: TEXT_ONLY, tools: false },
];

let chat: ScriptedChat;
let engine: ScriptedEngine;
beforeAll(async () => {
  engine = await startSearchEngine("searxng");
  chat = await startChatWithModels(models, { SEARCH_URL: engine.engine.address ?? "" });
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const script = (steps: readonly (readonly WireCall[])[], answer?: string) => scriptCalls(chat.provider, steps, answer);
const read = (file: string, pages?: string, id = "call_r", from?: number) =>
  wireCall("files__read_file", { file, pages, from }, id);
const search = (query: string, file?: string) => wireCall("files__search_files", { query, file }, "call_s");
const upload = (name: string, bytes: string | Buffer) => uploadFile(chat.app, { ...chat.ada, name, bytes });
const ask = async (files: readonly { id: string }[], model = CALLING) =>
  readReply(await chat.stream({ message: "What is in it?", model, files: files.map(({ id }) => id) }));
const asked = () => JSON.stringify(chat.provider.chats.at(-1)?.body);

/** A text of 12 sections, of which one has a secret. */
const longText = wordsOfPages(12, { 9: "The keeper of the lighthouse was called Mikesch." });

describe("files that do not fit into the window", () => {
  it("a model reads a page of a file that it did not receive whole, and its citation is checked", async () => {
    script(
      [[read("novel.txt", "9")]],
      "“The keeper of the lighthouse was called Mikesch” [1]. “He was called Hannibal” [1].",
    );
    await ask([await upload("novel.txt", longText)]);
    const [call] = await chat.partsOf("tool");
    expect(call).toMatchObject({ server: "files", name: "read_file", state: "succeeded" });
    expect(call?.result).toMatch(/^novel\.txt has 1\d pages\. Here: 9\. Read on with pages 10-1\d\./);
    expect(call?.sources).toMatchObject([
      { number: 1, title: expect.stringMatching(/^novel\.txt, section 9 of 1\d$/) },
    ]);
    expect((await chat.partsOf("source")).map(({ checked }) => checked)).toEqual(["found", "missing"]);
    expect(chat.provider.chats.at(-1)?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("called Mikesch"),
    });
  });

  it("a model finds the page of a word in any file, in any letter case and without accents", async () => {
    script([[search("LIGHTHOUSE keepér")]], "Mikesch [1].");
    await ask([await upload("other.txt", wordsOfPages(3)), await upload("novel.txt", longText)]);
    const [call] = await chat.partsOf("tool");
    expect(call?.sources).toHaveLength(1);
    expect(call?.sources?.[0]?.title).toMatch(/^novel\.txt, section 9 of /);
    expect(call?.result).toContain("The keeper of the lighthouse was called Mikesch.");
  });

  it("results that do not fit into the window together are cut, the oldest first, and the answer goes on", async () => {
    const pages = [1, 3, 5, 7, 9, 11].map((page) => [read("novel.txt", `${page}`, `call_${page}`)]);
    script(pages, "Mikesch.");
    expect((await ask([await upload("novel.txt", longText)])).text).toBe("Mikesch.");
    const lengths = (await chat.partsOf("tool")).map(({ result = "" }) => result.length);
    expect(lengths.map((length) => Math.round(length / 10_000))).toEqual(pages.map(() => 1));
    const sent = chat.provider.chats.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    const cut = /\[Only \d+ of \d+ characters of this result fit here\. Ask for less at once\.\]$/;
    expect(sent.map(({ content }) => cut.test(content))).toEqual([true, true, false, false, false, false]);
    expect(sent[0]?.content.length).toBeLessThan(200);
  });

  it("a page that is longer than a small window has room for is read on where it was cut", async () => {
    const pages = Array.from(
      { length: 3 },
      (_, at) => `[Page ${at + 1}]\n${`Zeile ${at} für 👋. `.repeat(1200).trim()}`,
    );
    const whole = pages[1]?.slice("[Page 2]\n".length) ?? "";
    const file = await upload("pages.txt", pages.join("\n\n"));
    let text = "";
    for (let from: number | undefined = 1; from !== undefined; ) {
      chat.provider.requests.length = 0;
      script([[read("pages.txt", "2", "call_p", from)]]);
      await ask([file], CALLING);
      const [call] = await chat.partsOf("tool");
      const { from: begin = 0, to = 0 } = call?.sources?.[0] ?? {};
      expect(to).toBeGreaterThan(begin);
      text += call?.result?.slice(begin, to);
      const sent = chat.provider.chats.at(-1)?.messages.at(-1)?.content;
      expect(sent).toBe(call?.result);
      const next: string | undefined = / and from (\d+)\.\n/.exec(call?.result ?? "")?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(text).toBe(whole);
    script([[read("pages.txt", "2", "call_p", 1_000_000)]]);
    await ask([file]);
    const refusal = `Page 2 has ${whole.length} characters only.`;
    expect(await chat.partsOf("tool")).toMatchObject([{ state: "failed", result: refusal }]);
  });

  it("pages of a PDF are its own pages", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `Line ${at + 1} has words and more words for its width.`);
    const pages = Array.from({ length: 30 }, (_, at) => linesOf(`Page number ${at + 1}.`, ...lines));
    script([[read("report.pdf", "7-8")]]);
    await ask([await upload("report.pdf", pdfFileOf(pdfObjects(pages)))]);
    const [call] = await chat.partsOf("tool");
    expect(call?.sources?.map(({ title }) => title)).toEqual(["report.pdf, page 7 of 30", "report.pdf, page 8 of 30"]);
    expect(call?.result).toContain("Page number 8.");
    expect(call?.result).not.toContain("Page number 9.");
  });

  /** Asks about a file whose message the prompt no longer has. */
  async function askLater() {
    await ask([await upload("novel.txt", longText)]);
    for (let turn = 0; turn < 6; turn++) {
      await readReply(await chat.stream({ message: "words ".repeat(1700), model: CALLING }));
    }
    return () => chat.stream({ message: "Who kept it?", model: CALLING }).then(readReply);
  }

  it("a file of a message that is older than the prompt is looked up too", async () => {
    const askAgain = await askLater();
    script([[read("novel.txt", "9")]]);
    await askAgain();
    expect((await chat.partsOf("tool"))[0]?.result).toContain("called Mikesch");
  });

  it("a query to the search engine asks where an older message has a file, whose words an answer may repeat", async () => {
    const askAgain = await askLater();
    await chat.call("PATCH", "", { tools: ["web"] });
    script([[wireCall("web__search_web", { query: "Mikesch" })]]);
    await askAgain();
    expect(await chat.partsOf("tool")).toMatchObject([{ name: "search_web", state: "proposed" }]);
  });

  it("the newest of files of one name has it, the others a number, and an unknown name is answered by the names", async () => {
    const files = [await upload("a.txt", longText), await upload("a.txt", wordsOfPages(9, { 2: "The second one." }))];
    files.push(await upload("a.txt (2)", wordsOfPages(9, { 2: "Named with a number." })));
    script([
      [
        read("a.txt", "2"),
        read("a.txt (2)", "2", "call_n"),
        read("a.txt (3)", "9", "call_o"),
        read("b.txt", "1", "call_b"),
      ],
    ]);
    await ask(files);
    const [newest, numbered, older, unknown] = await chat.partsOf("tool");
    expect(newest?.result).toContain("The second one.");
    expect(numbered?.result).toContain("Named with a number.");
    expect(older?.result).toContain("called Mikesch");
    expect(unknown).toMatchObject({
      state: "failed",
      result: 'There is no such file. The files are: "a.txt (3)", "a.txt", "a.txt (2)".',
    });
  });

  it("a temporary chat looks up the files of its request", async () => {
    script([[read("novel.txt", "9")]]);
    const question = { text: "Who?", files: [{ name: "novel.txt", bytes: longText }] };
    const response = await askTemporary([question], { model: CALLING }, { app: chat.app, account: chat.ada });
    const results: unknown[] = [];
    for await (const event of readEvents(response)) {
      if (event !== "[DONE]" && event.part?.kind === "tool") results.push(event.part.result);
    }
    expect(results.at(-1)).toContain("called Mikesch");
  });
});

describe("whether files can be looked up", () => {
  it("a file that fits whole is not looked up", async () => {
    await ask([await upload("short.txt", "A short text.")]);
    expect(asked()).not.toContain("files__");
  });

  it("a picture that a model did not receive is not looked up", async () => {
    await ask([await upload("a.png", pngOf(1, 1, Buffer.alloc(4)))]);
    expect(asked()).toContain("did not receive its content");
    expect(asked()).not.toContain("files__");
  });

  it.each([
    ["a model that takes tools looks up", CALLING, [], true],
    ["a model of which this is not known does not", UNKNOWN, [], false],
    ["a model of which this is not known does in a chat with tools", UNKNOWN, ["basics"], true],
    ["a model that takes no tools does not, with tools switched on", TEXT_ONLY, ["basics"], false],
  ])("%s", async (_, model, tools, isOffered) => {
    await chat.call("PATCH", "", { tools });
    await ask([await upload("novel.txt", longText)], model);
    expect(asked().includes("files__read_file")).toBe(isOffered);
    expect(asked().includes("basics__calculate")).toBe(tools.length > 0 && isOffered);
  });

  it("files of another account and of another branch of the chat are not found", async () => {
    const other = await signUp(chat.app);
    await uploadFile(chat.app, { ...other, name: "theirs.txt", bytes: longText });
    await ask([await upload("novel.txt", longText)]);
    const [question] = (await chat.open()).messages;
    script([[read("novel.txt"), { ...read("theirs.txt"), id: "call_b" }]]);
    const sent = await chat.stream({
      message: "Another beginning",
      model: CALLING,
      branch: true,
      parent: null,
      files: [(await upload("mine.txt", wordsOfPages(9))).id],
    });
    await readReply(sent);
    expect(question?.content).toBe("What is in it?");
    const results = (await chat.partsOf("tool")).map(({ result }) => result);
    expect(results).toEqual(Array(2).fill('There is no such file. The files are: "mine.txt".'));
  });
});
