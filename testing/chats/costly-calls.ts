import { accountPaths } from "#contract/accounts/paths.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { ChatTree } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { CHAT_TITLE_MAX, FOLDER_NAME_MAX, INSTRUCTIONS_MAX, SEARCH_MAX } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { PASSWORD } from "../accounts/sign-up.ts";
import type { ScriptedProvider } from "../provider/scripted-provider.ts";
import { documentOf, exported, message } from "./exported-chats.ts";

const MODEL = "GPT:gpt-5-mini";

export type CostlyPerson = {
  provider: ScriptedProvider;
  /** Calls the API as the account. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
};

/** `sent`: at most `MAX_MESSAGE_CHARS` UTF-16 units; `imported`: at most a million. */
export type CostlyTexts = { sent: string; imported: string };

/**
 * Calls in sequence every route that stores, searches, titles, exports or renders a text, and reads each response to
 * its end.
 * @yields the name and the status of each call
 */
export async function* costlyCalls(person: CostlyPerson, texts: CostlyTexts): AsyncGenerator<[string, number]> {
  const { sent, imported } = texts;
  const own = await createChat(person);
  await finished(person.call("POST", accountPaths.proof, { password: PASSWORD }));
  const calls = { ...writing(person, texts, own), ...reading(person, sent, own) };
  for (const [name, call] of Object.entries(calls)) yield [name, await finished(call())];
  const before = await listChats(person);
  yield ["import", await finished(importChat(person, imported))];
  for (const id of (await listChats(person)).filter((chat) => !before.includes(chat))) {
    for (const [name, call] of Object.entries(reading(person, imported, id))) {
      yield [`${name}, imported`, await finished(call())];
    }
    yield ["delete", await finished(person.call("DELETE", conversationPaths.chat(id)))];
  }
}

type Calls = Record<string, () => Promise<Response>>;

function writing({ provider, call }: CostlyPerson, { sent }: CostlyTexts, id: string): Calls {
  const instructions = head(sent, INSTRUCTIONS_MAX);
  const reply = (text: string) => {
    provider.next("held");
    provider.title = head(text, CHAT_TITLE_MAX);
    provider.release(text);
    provider.finish();
  };
  return {
    "message of a person": () => call("POST", conversationPaths.chatMessage(id), { role: "user", content: sent }),
    "message of a model": () => call("POST", conversationPaths.chatMessage(id), { role: "assistant", content: sent }),
    "send and reply": () => {
      reply(sent);
      return call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { message: sent, model: MODEL });
    },
    "temporary reply": () => {
      reply(sent);
      return call("POST", conversationPaths.temporaryReply, {
        messages: [{ role: "user", content: sent }],
        model: MODEL,
      });
    },
    title: () => call("PATCH", conversationPaths.chat(id), { title: `t ${head(sent, CHAT_TITLE_MAX - 2)}` }),
    folder: () => call("POST", conversationPaths.folders, { name: `f ${head(sent, FOLDER_NAME_MAX - 2)}` }),
    preset: () => call("POST", conversationPaths.presets, { name: "p", instructions, model: null, temperature: null }),
    "instructions of a chat": () => call("PATCH", conversationPaths.chat(id), { instructions }),
    "a sign-in": () => call("POST", accountPaths.login, { username: head(sent, 254), password: head(sent, 256) }),
    "a name of a megabyte": () => call("POST", accountPaths.register, { username: sent, password: sent, email: sent }),
  };
}

function reading({ call }: CostlyPerson, text: string, id: string): Calls {
  const search = (q: string) => call("GET", `${conversationPaths.search}?${new URLSearchParams({ q, limit: "50" })}`);
  return {
    "the chat": () => call("GET", conversationPaths.chat(id)),
    "its tree": () => call("GET", conversationPaths.chatTree(id)),
    "Markdown export": () => call("GET", `${transferPaths.chatExport(id)}?format=markdown`),
    "JSON export": () => call("GET", `${transferPaths.chatExport(id)}?format=json`),
    "HTML export": () => call("GET", `${transferPaths.chatExport(id)}?format=html`),
    "export of all": () => call("GET", transferPaths.export),
    "search for its beginning": () => search(head(text, SEARCH_MAX)),
    "search for a few letters": () => search([...text].slice(0, 4).join(" ")),
    "search for a letter": () => search("a"),
    "list of chats": () => call("GET", conversationPaths.chatHistory),
  };
}

const head = (text: string, length: number) => text.slice(0, length).toWellFormed();

async function createChat({ call }: CostlyPerson): Promise<string> {
  return ((await (await call("POST", conversationPaths.chats, {})).json()) as Chat).id;
}

function importChat({ call }: CostlyPerson, text: string): Promise<Response> {
  const question = message({ content: text });
  const answer = message({ content: text, role: "assistant", parent: question.id });
  const chat = exported({ title: head(text, CHAT_TITLE_MAX), leaf: answer.id, messages: [question, answer] });
  return call("POST", transferPaths.import, documentOf({ chats: [chat] }));
}

async function listChats({ call }: CostlyPerson): Promise<string[]> {
  const chats = (await (await call("GET", conversationPaths.chatHistory)).json()) as Pick<ChatTree, "id">[];
  return chats.map(({ id }) => id);
}

/** Reads a response to its end. @returns its status */
async function finished(call: Promise<Response>): Promise<number> {
  const response = await call;
  await response.text();
  return response.status;
}
