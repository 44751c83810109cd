import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

const FORMATS = ["markdown", "html"];

const exportOf = (format: string, message: string, { token } = chat.ada) =>
  chat.app.call("GET", `${transferPaths.chatExport(chat.chatId)}?format=${format}&message=${message}`, { token });

/** Asks this question, whose answer is `reply`. @returns ids of the messages of the shown branch */
async function ask(message: string, reply: string, more: object = {}): Promise<string[]> {
  chat.provider.reply = reply;
  await chat.send({ message, model: "GPT:gpt-5-mini", ...more });
  return (await chat.open()).messages.map(({ id }) => id);
}

it("one message of a chat is exported with its author, and no other message is in the file", async () => {
  await ask("First question", "First answer");
  const [question = "", answer = ""] = await ask("Second question", "Second **answer**");
  const [, , , last = ""] = (await chat.open()).messages.map(({ id }) => id);
  for (const format of FORMATS) {
    const texts = [question, answer, last].map(async (id) => (await exportOf(format, id)).text());
    const [ofQuestion = "", ofAnswer = "", ofLast = ""] = await Promise.all(texts);
    expect(ofQuestion).toContain("First question");
    expect(ofQuestion).not.toMatch(/answer|Second|Assistant/);
    expect(ofAnswer).toMatch(/Assistant[\s\S]*First answer/);
    expect(ofAnswer).not.toMatch(/Second/);
    expect(ofLast).toContain(format === "html" ? "Second <strong>answer</strong>" : "Second **answer**");
    expect(ofLast).not.toMatch(/First answer|question</);
  }
});

it("a message of a branch that is not shown is exported by its id", async () => {
  const [question = "", answer = ""] = await ask("Old question", "Old answer");
  await ask("New question", "New answer", { parent: null, branch: true });
  expect((await chat.open()).messages.map(({ id }) => id)).not.toContain(answer);
  expect(await (await exportOf("markdown", question)).text()).toContain("Old question");
  expect(await (await exportOf("markdown", answer)).text()).toContain("Old answer");
});

it("a message of another chat or another account is answered like an unknown one", async () => {
  const [, answer = ""] = await ask("Own question", "Own answer");
  const { chatId } = chat;
  await chat.renew();
  const elsewhere = await ask("Question", "Answer");
  const eve = await signUp(chat.app);
  for (const format of [...FORMATS, "docx"]) {
    const refused = [
      await exportOf(format, answer),
      await exportOf(format, crypto.randomUUID()),
      await exportOf(format, "%00\ud800"),
      await exportOf(format, elsewhere[1] ?? "", eve),
    ];
    const problems = await Promise.all(refused.map(async (response) => [response.status, await response.json()]));
    for (const problem of problems) expect(problem).toEqual(problems[0]);
    expect(problems[0]).toEqual([404, expect.objectContaining({ code: "not-found" })]);
  }
  expect(chatId).not.toBe(chat.chatId);
});

it("JSON restores whole chats, so a single message is refused", async () => {
  const [, answer = ""] = await ask("Question", "Answer");
  const response = await exportOf("json", answer);
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ issues: [expect.objectContaining({ field: "message" })] }),
  ]);
});
