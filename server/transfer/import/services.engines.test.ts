import { afterAll, beforeAll, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { converters } from "#contract/transfer/services/converters.ts";
import { type ExportDocument, type ExportedChat, exportSchema } from "#contract/transfer/transfer.ts";
import { PASSWORD, signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, meaningOf } from "../../../testing/chats/exported-chats.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const said = (role: string, content: object, more: object = {}) => ({
  ...{ author: { role, name: role === "tool" ? "browser" : null }, content, create_time: 1_700_000_001, metadata: {} },
  ...more,
});
const words = (text: string) => ({ content_type: "text", parts: [text] });
const node = (parent: string | null, message: object | null) => ({ parent, children: [], message });

/** A chat of each service with what its answers have: reasoning, a call and its result, a source, a picture, branches. */
const chats: Record<string, unknown> = {
  chatgpt: {
    ...{
      conversation_id: "g",
      title: "Fjords",
      create_time: 1_700_000_000,
      update_time: 1_700_000_100,
      current_node: "c",
    },
    mapping: {
      root: node(null, null),
      q: node("root", said("user", words("What is a fjord?"))),
      t: node("q", said("assistant", { content_type: "thoughts", thoughts: [{ summary: "Hm", content: "Inlets." }] })),
      k: node("t", said("assistant", { content_type: "code", language: "json", text: "{}" }, { recipient: "browser" })),
      r: node(
        "k",
        said("tool", { content_type: "tether_quote", url: "https://a.example/", title: "A", text: "Found" }),
      ),
      a: node("r", said("assistant", words("An inlet."))),
      b: node("q", said("assistant", words("A bay."))),
      c: node("a", said("user", words("And?"))),
    },
  },
  claude: {
    ...{ uuid: "l", name: "Fjords", created_at: "2024-01-01T00:00:00Z", updated_at: "2024-01-02T00:00:00Z" },
    chat_messages: [
      {
        uuid: "1",
        sender: "human",
        text: "What?",
        created_at: "2024-01-01T00:00:00Z",
        files: [{ file_name: "a.png" }],
      },
      {
        ...{ uuid: "2", sender: "assistant", created_at: "2024-01-01T00:00:01Z" },
        content: [
          { type: "thinking", thinking: "Hm." },
          { type: "tool_use", id: "c1", name: "web_search", input: { q: "fjord" } },
          { type: "tool_result", tool_use_id: "c1", name: "web_search", content: [{ type: "text", text: "Found" }] },
          { type: "text", text: "An inlet.", citations: [{ url: "https://a.example/", title: "A" }] },
        ],
      },
    ],
  },
  "open-webui": {
    ...{ id: "w", title: "Fjords", created_at: 1_700_000_000, updated_at: 1_700_000_100 },
    chat: {
      history: {
        currentId: "2",
        messages: {
          1: { id: "1", parentId: null, childrenIds: ["2"], role: "user", content: "What?", timestamp: 1_700_000_000 },
          2: {
            ...{
              id: "2",
              parentId: "1",
              childrenIds: [],
              role: "assistant",
              model: "llama3",
              timestamp: 1_700_000_001,
            },
            content:
              '<details type="reasoning" done="true" duration="2"><summary>Thought</summary>\n> Hm.\n</details>\nAn inlet.',
          },
        },
      },
    },
  },
  librechat: {
    ...{ conversationId: "b", title: "Fjords", endpoint: "openAI" },
    messages: [
      { messageId: "1", parentMessageId: null, text: "What?", sender: "User", isCreatedByUser: true },
      {
        ...{ messageId: "2", parentMessageId: "1", sender: "GPT", isCreatedByUser: false, model: "gpt-4o" },
        content: [
          { type: "think", think: "Hm." },
          { type: "tool_call", tool_call: { id: "c", name: "search", args: "{}", output: "Found" } },
          { type: "text", text: "An inlet." },
        ],
      },
    ],
  },
};

const context = { fileIdOf: () => "00000000-0000-4000-8000-000000000001", now: 1_700_000_000_000 };

async function importInto(document: object): Promise<ExportDocument> {
  const { token } = await signUp(app);
  const response = await app.call("POST", transferPaths.import, { token, body: document });
  expect(await response.json()).toMatchObject({ imported: 1, skipped: 0 });
  await app.call("POST", accountPaths.proof, { token, body: { password: PASSWORD } });
  const exported = await app.call("GET", transferPaths.export, { token });
  return exportSchema.parse(await exported.json());
}

it.each(converters.map((converter) => [converter.service, converter] as const))(
  "a converted chat of %s loses nothing at the import, and neither at the import of its export",
  async (service, converter) => {
    const given = chats[service];
    expect(converters.filter((one) => one.recognises(given)).map((one) => one.service)).toEqual([service]);
    const { chat } = converter.convert(given, context);
    const first = await importInto(documentOf({ chats: [chat] }));
    const account = { instructions: "" };
    expect(meaningOf(first)).toEqual(meaningOf(exportSchema.parse(documentOf({ account, chats: [sorted(chat)] }))));
    const second = await importInto(documentOf({ chats: first.chats }));
    expect(meaningOf(second)).toEqual(meaningOf(first));
  },
);

/** Messages as an export orders them: by their time, then as they were imported. */
const sorted = (chat: ExportedChat): ExportedChat => ({
  ...chat,
  messages: chat.messages.toSorted((a, b) => a.createdAt - b.createdAt),
});
