import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp } from "../../../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { searchAll } from "../../../../testing/chats/search-for.ts";
import { askTemporary } from "../../../../testing/chats/temporary-request.ts";
import { restore, unpack } from "../../../../testing/files/archives.ts";
import { readEvents, readReply } from "../../../../testing/http/read-events.ts";
import { shopCall as call, scriptCalls, wireCall } from "../../../../testing/tools/script-calls.ts";
import { ScriptedShop } from "../../../../testing/tools/scripted-shop.ts";

const LIMIT = 100_000;
const MODEL = "GPT:gpt-5-mini";
/** A result of 130,000 characters, whose rest has a secret. */
const LONG = `${"All is well. ".repeat(9000)}The keeper was called Mikesch. ${"All is well. ".repeat(998)}`;
const REST = LONG.slice(LIMIT);
const IN_FILE = `[The rest of this result, ${REST.length} characters, is in the file “look_up-1.txt”.]`;

const shop = new ScriptedShop();
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({}, { toolGroups: [shop] });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  shop.reset();
  shop.find = async () => ({ text: LONG });
  chat.provider.reset();
  await chat.renew();
  await chat.call("PATCH", "", { tools: ["shop"] });
});

const lookUp = call("look_up", "tea");
const readOn = wireCall("files__read_file", { file: "look_up-1.txt", pages: "2" }, "call_r");
const ask = async (message = "Is there tea?") => readReply(await chat.stream({ message, model: MODEL }));
const open = (id: unknown, { token } = chat.ada) => chat.app.call("GET", filePaths.file(String(id)), { token });
const filesOf = ({ parts = [] }: Pick<Message, "parts">) => parts.filter(({ kind }) => kind === "file");
const storedFiles = () =>
  chat.app.context.database.selectFrom("files").selectAll().where("user_id", "=", chat.ada.user.id).execute();

describe("a result beyond 100,000 characters", () => {
  it("the rest of the result becomes a file of the answer, in which the model reads on", async () => {
    scriptCalls(chat.provider, [[lookUp], [readOn]], "“The keeper was called Mikesch” [1].");
    expect((await ask()).text).toContain("Mikesch");
    const [first, second] = await chat.partsOf("tool");
    expect(first).toMatchObject({ state: "succeeded", isCut: true });
    expect(first?.result).toBe(`${LONG.slice(0, LIMIT)}\n\n${IN_FILE}`);
    expect(chat.provider.chats[1]?.messages.at(-1)?.content).toBe(first?.result);
    expect(JSON.stringify(chat.provider.chats[0]?.body)).not.toContain("files__read_file");
    expect(second).toMatchObject({ name: "read_file", state: "succeeded" });
    expect(second?.result).toContain("The keeper was called Mikesch.");
    expect(await chat.partsOf("source")).toMatchObject([{ tool: 2, checked: "found" }]);
    const [file] = filesOf(await chat.last());
    expect(file).toMatchObject({ tool: 0, at: 0, name: "look_up-1.txt", type: "text/plain", size: REST.length });
    expect(await (await open(file?.id)).text()).toBe(REST);
    expect((await open(file?.id, await signUp(chat.app))).status).toBe(404);
    const hits = await searchAll(chat.app, chat.ada.token, { q: "keeper Mikesch" });
    expect(hits.map(({ file: found }) => found?.name)).toContain("look_up-1.txt");
    await expectExactCounters(chat.app.context.database);
  });

  it("a source that begins behind the limit has no number, and the one at the limit ends there", async () => {
    const sourceOf = (name: string, text: string) => ({ url: `https://${name}.test/`, title: name, text });
    const sources = [sourceOf("one", "1".repeat(60_000)), sourceOf("two", "2".repeat(60_000)), sourceOf("three", "3")];
    shop.find = async () => ({ text: "", sources });
    scriptCalls(chat.provider, [[lookUp]]);
    await ask();
    const [called] = await chat.partsOf("tool");
    expect(called?.sources?.map(({ number, to }) => [number, to])).toEqual([
      [1, expect.any(Number)],
      [2, LIMIT],
    ]);
    const [file] = filesOf(await chat.last());
    expect(await (await open(file?.id)).text()).toMatch(/^2+\n\nthree\nhttps:\/\/three\.test\/\n3$/);
  });

  it("the file of a result is no answer: an empty one fails, and is asked for again", async () => {
    scriptCalls(chat.provider, [[lookUp]], "");
    await ask();
    expect(await chat.last()).toMatchObject({ state: "failed", code: "assistant-failed", content: "" });
    expect(filesOf(await chat.last())).toHaveLength(1);
    await expectExactCounters(chat.app.context.database);
  });

  it("the file does not travel with the next question, and is not looked up then", async () => {
    scriptCalls(chat.provider, [[lookUp]], "There is tea.");
    await ask();
    scriptCalls(chat.provider, [[readOn]]);
    await ask("And now?");
    const body = JSON.stringify(chat.provider.chats.at(-2)?.body);
    expect(body).toContain("There is tea.");
    expect(body).not.toMatch(/look_up-1|Mikesch|files__/);
    expect(await chat.partsOf("tool")).toMatchObject([{ state: "failed", reason: "invalid" }]);
  });

  it("the file is exported and imported with its answer, and removed with its chat", async () => {
    scriptCalls(chat.provider, [[lookUp]], "There is tea.");
    await ask();
    const [file] = filesOf(await chat.last());
    const archive = await unpack(
      await chat.app.call("GET", `${transferPaths.chatExport(chat.chatId)}?format=json`, chat.ada),
    );
    const bob = await signUp(chat.app);
    expect(await restore(chat.app, archive, bob)).toMatchObject({ imported: 1, problems: [] });
    const listed = (await (await chat.app.call("GET", conversationPaths.chatHistory, bob)).json()) as { id: string }[];
    const theirs = (await (await chat.app.call("GET", `/chat/${listed[0]?.id}`, bob)).json()) as Chat;
    const [imported] = filesOf(theirs.messages.at(-1) ?? {});
    expect(imported).toMatchObject({ tool: 0, name: "look_up-1.txt" });
    expect(await (await open(imported?.id, bob)).text()).toBe(REST);
    await chat.call("DELETE", "");
    const { database, sweep } = chat.app.context;
    const deleted = database.updateTable("chats").where("id", "=", chat.chatId);
    await deleted.set({ deleted_at: Date.now() - 2 * HOUR }).execute();
    await sweep.run();
    expect((await open(file?.id)).status).toBe(404);
    expect(await storedFiles()).toEqual([]);
    await expectExactCounters(database);
  });

  it("an answer that waits for a decision reads on in the file of an earlier step", async () => {
    scriptCalls(chat.provider, [[lookUp], [call("buy", "tea")], [readOn]]);
    await ask();
    const { id, parts = [] } = await chat.last();
    const decisions = parts
      .filter(({ state }) => state === "proposed")
      .map(({ seq, digest }) => ({ seq, digest, answer: "once" }));
    await chat.call("POST", "/decision", { reply: id, decisions });
    await readReply(await chat.call("GET", `/reply?reply=${id}`));
    expect((await chat.partsOf("tool")).at(-1)).toMatchObject({ name: "read_file", state: "succeeded" });
  });
});

describe("a result whose rest is not stored", () => {
  it("a full quota loses the rest only: the result says so, and the answer goes on", async () => {
    const { database } = chat.app.context;
    await database.updateTable("users").set({ quota_mb: 1 }).where("id", "=", chat.ada.user.id).execute();
    shop.find = async () => ({ text: "tea ".repeat(600_000) });
    scriptCalls(chat.provider, [[lookUp]], "There is tea.");
    expect((await ask()).text).toBe("There is tea.");
    const [called] = await chat.partsOf("tool");
    expect(called).toMatchObject({ state: "succeeded", isCut: true });
    expect(called?.result?.slice(LIMIT)).toBe(
      "\n\n[The rest of this result, 2300000 characters, was cut: the storage of this account is full.]",
    );
    expect(await storedFiles()).toEqual([]);
    expect(JSON.stringify(chat.provider.chats.at(-1)?.body)).not.toContain("files__read_file");
    await expectExactCounters(database);
  });

  it("a temporary chat stores no rest and says so", async () => {
    scriptCalls(chat.provider, [[lookUp]], "There is tea.");
    const asked = { model: MODEL, tools: ["shop"] };
    const response = await askTemporary(["Is there tea?"], asked, { app: chat.app, account: chat.ada });
    const results: unknown[] = [];
    for await (const event of readEvents(response)) {
      if (event !== "[DONE]" && event.part?.kind === "tool") results.push(event.part.result);
    }
    expect(String(results.at(-1)).slice(LIMIT)).toBe(
      `\n\n[The rest of this result, ${REST.length} characters, was cut: nothing of this chat is stored.]`,
    );
    expect(await storedFiles()).toEqual([]);
  });
});
