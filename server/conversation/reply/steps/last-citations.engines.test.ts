import { describe, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { TestApp } from "../../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../../testing/app/wait-for.ts";
import { startKilledChat } from "../../../../testing/chats/killed-chat.ts";
import { startScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { readEvents } from "../../../../testing/http/read-events.ts";
import { scriptCalls, wireCall } from "../../../../testing/tools/script-calls.ts";

const MODEL = "GPT:gpt-5-mini";
const SEARCH = wireCall("chats__search_my_chats", { query: "Mikesch" });
/** The mark would be code if a backtick followed. */
const WORDS = "The cat `is Mikesch [1]";
const CITATION = { kind: "source", at: WORDS.length, source: "1", tool: 0, checked: "unchecked" };

/** Adds another chat with a message that the search finds, and switches the search on. */
async function prepare(app: TestApp, { id, token }: { id: string; token: string }): Promise<void> {
  const other = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  const body = { role: "user", content: "My cat is called Mikesch." };
  await app.call("POST", `/chat/${other.id}/message`, { token, body });
  await app.call("PATCH", `/chat/${id}`, { token, body: { tools: ["chats"] } });
}

it("sources that a provider has named are citations of an answer whose process is killed", async () => {
  await using killed = await startKilledChat();
  const { id, token, provider } = killed;
  const response = await killed.send("[scenario:held]", MODEL);
  const [list, linked] = ["https://a.test/one", "https://b.test/two"];
  const annotation = { type: "url_citation", url: linked, title: "Two", start_index: 9, end_index: 13 };
  const chunk = {
    choices: [{ index: 0, delta: { annotations: [annotation] }, finish_reason: null }],
    citations: [list],
  };
  provider.release("Red [1]. Blue");
  provider.emit(`data: ${JSON.stringify(chunk)}\n\n`);
  provider.release(" and green");
  for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token?.includes("green")) break;
  await waitFor("a checkpoint with all words and the sources", () =>
    killed.withDatabase(async (database) => {
      const stored = await database.selectFrom("reply_chunks").select("text").orderBy("at").execute();
      const rows = await database.selectFrom("messages").select("open_call").where("state", "=", "writing").execute();
      const hasSources = rows.some(({ open_call: call }) => call?.includes(list) && call.includes(linked));
      return (
        hasSources &&
        stored
          .map(({ text }) => text)
          .join("")
          .endsWith("green")
      );
    }),
  );
  await using app = await killed.restart();
  const { messages } = (await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat;
  expect(messages.at(-1)).toMatchObject({ state: "interrupted", content: "Red [1]. Blue and green" });
  expect(messages.at(-1)?.parts).toMatchObject([
    { kind: "source", at: 7, source: "1", url: list, checked: "unchecked" },
    { kind: "source", at: 13, source: "2", url: linked, checked: "unchecked" },
  ]);
});

describe("marks that wait for what follows", () => {
  it("a mark behind an open backtick is a citation when the answer is stopped", async () => {
    await using chat = await startScriptedChat();
    await chat.renew();
    await prepare(chat.app, { id: chat.chatId, token: chat.ada.token });
    scriptCalls(chat.provider, [[SEARCH]]);
    chat.provider.next("fast", "held");
    const events = readEvents(await chat.stream({ message: "What is my cat called?", model: MODEL }));
    chat.provider.release(WORDS);
    for await (const event of events) {
      if (event === "[DONE]") break;
      if (event.token?.includes("[1]")) await chat.call("POST", "/stop");
    }
    expect(await chat.last()).toMatchObject({ state: "stopped", content: WORDS });
    expect(await chat.partsOf("source")).toMatchObject([CITATION]);
  });

  it("a mark behind an open backtick is a citation after a kill, and once only when the answer goes on", async () => {
    await using killed = await startKilledChat(prepare);
    const { id, token, provider } = killed;
    scriptCalls(provider, [[SEARCH]]);
    provider.next("fast", "held");
    const response = await killed.send("What is my cat called?", MODEL);
    provider.release(WORDS);
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token?.includes("[1]")) break;
    await waitFor("a checkpoint with all words", () =>
      killed.withDatabase(async (database) => {
        const stored = await database.selectFrom("reply_chunks").select("text").orderBy("at").execute();
        return stored.map(({ text }) => text).join("") === WORDS;
      }),
    );
    await using app = await killed.restart();
    const read = async () => ((await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat).messages.at(-1);
    const interrupted = await read();
    expect(interrupted).toMatchObject({ state: "interrupted", content: WORDS });
    expect(interrupted?.parts).toMatchObject([{ kind: "tool" }, CITATION]);
    provider.reply = ", the tomcat.";
    await (await app.call("GET", `/chat/${id}/reply?reply=${interrupted?.id}&from=0`, { token })).text();
    expect((await read())?.parts?.filter(({ kind }) => kind === "source")).toMatchObject([CITATION]);
  });
});
