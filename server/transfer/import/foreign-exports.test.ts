import { afterAll, beforeAll, expect, it } from "vitest";
import { problemSchema } from "#contract/problem.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported } from "../../../testing/chats/exported-chats.ts";

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await signUp(app));
});
afterAll(() => app[Symbol.asyncDispose]());

const nodes = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`n${at}`, { id: `n${at}`, children: [] }]));
const files: [string, string][] = [
  ["a long chat of ChatGPT", JSON.stringify([{ title: "Chat", mapping: nodes, current_node: "n9" }])],
  ["a chat of Claude", JSON.stringify([{ uuid: "u", name: "Chat", chat_messages: [{ text: "Hi", sender: "human" }] }])],
  ["a chat of LibreChat", JSON.stringify({ conversationId: "a", endpoint: "openAI", messages: [{ text: "Hi" }] })],
  ["Markdown", "# Chat\n\n**You**: Hi"],
  ["a short text", "Hi"],
  ["a long text", "Words of a chat. ".repeat(10_000)],
  ["half of an export", JSON.stringify(documentOf({ chats: [exported()] })).slice(0, -20)],
  ["an archive", "PK\u0003\u0004\0\0conversations.json"],
  ["nothing", ""],
  ["a number", "1"],
];

it.each(files)(
  "refuses a file that is not Parley's own export, and names the page that imports other services' exports: %s",
  async (_, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${app.url}/api${transferPaths.import}`, { method: "POST", headers, body });
    const { code, detail } = problemSchema.parse(await response.json());
    expect([response.status, code]).toEqual([400, "not-an-export"]);
    for (const service of ["ChatGPT", "Claude", "Open WebUI", "LibreChat"]) expect(detail).toContain(service);
    expect(detail).toContain("page “Data” of the settings");
  },
);
