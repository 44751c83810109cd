import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { fileIdSchema } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { framedBody, temporaryRequest } from "../../testing/chats/temporary-request.ts";
import { allRows } from "../../testing/database/all-rows.ts";
import { uploadFile } from "../../testing/files/upload.ts";

const MODEL = "GPT:gpt-5-mini";
const SECRET = "canary-words-of-ada";
let chat: ScriptedChat;
let eve: TestAccount;
let eveChat: string;
let eveReply: string;
let adaFile: string;

beforeAll(async () => {
  chat = await startScriptedChat();
  await chat.renew();
  eve = await signUp(chat.app);
  eveChat = await chat.createChat(eve);
  const body = { message: "Hello", model: MODEL };
  const sent = await chat.app.call("POST", conversationPaths.chatSend(eveChat), { token: eve.token, body });
  eveReply = ((await sent.json()) as { ai_response: { id: string } }).ai_response.id;
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  adaFile = (await uploadFile(chat.app, { ...chat.ada, name: `${SECRET}.txt`, bytes: SECRET })).id;
  await chat.send({ model: MODEL, files: [adaFile] });
  chat.provider.requests.length = 0;
});

const part = (id: string) => ({ seq: 0, at: 0, kind: "file", id, name: "a.txt", type: "text/plain", size: 1 });
const calledBy = async (method: string, path: string, body?: unknown) => {
  const response = await chat.app.call(method, path, { token: eve.token, body });
  return { status: response.status, text: await response.text() };
};
const send = (files: string[], more = {}) =>
  calledBy("POST", conversationPaths.chatSend(eveChat), { message: "What is in it?", model: MODEL, files, ...more });
const importOf = (id: string) => {
  const question = { ...message(), parts: [part(id)] };
  return documentOf({ chats: [exported({ messages: [question], leaf: question.id })] });
};
const temporary = (id: string) =>
  temporaryRequest([{ files: [{ id, name: "a.txt", bytes: "Eve's own words" }] }], { model: MODEL });

/** What a client can do with a file's id by each route that takes one, and the status of another account's id. */
const uses: Record<string, { status: number; use: (id: string) => Promise<{ status: number; text: string }> }[]> = {
  [`GET ${filePaths.file(":id")}`]: [{ status: 404, use: (id) => calledBy("GET", filePaths.file(id)) }],
  [`HEAD ${filePaths.file(":id")}`]: [{ status: 404, use: (id) => calledBy("HEAD", filePaths.file(id)) }],
  [`GET ${filePaths.fileText(":id")}`]: [{ status: 404, use: (id) => calledBy("GET", filePaths.fileText(id)) }],
  [`HEAD ${filePaths.fileText(":id")}`]: [{ status: 404, use: (id) => calledBy("HEAD", filePaths.fileText(id)) }],
  [`DELETE ${filePaths.file(":id")}`]: [{ status: 404, use: (id) => calledBy("DELETE", filePaths.file(id)) }],
  // It begins an upload of the account itself.
  [`PUT ${filePaths.file(":id")}`]: [
    { status: 200, use: (id) => calledBy("PUT", filePaths.file(id), Buffer.from("Eve's")) },
  ],
  [`POST ${conversationPaths.chatSend(":id")}`]: [
    { status: 404, use: (id) => send([id]) },
    { status: 404, use: (id) => send([id], { branch: true, parent: eveReply }) },
    { status: 404, use: (id) => send([id], { branch: true, parent: null }) },
  ],
  [`POST ${conversationPaths.chatMessage(":id")}`]: [
    {
      status: 404,
      use: (id) =>
        calledBy("POST", conversationPaths.chatMessage(eveChat), { role: "user", content: "Noted", files: [id] }),
    },
  ],
  // Its files have ids of the client, and travel with the request.
  [`POST ${conversationPaths.temporaryReply}`]: [
    { status: 200, use: (id) => calledBy("POST", conversationPaths.temporaryReply, framedBody(temporary(id))) },
    { status: 400, use: (id) => calledBy("POST", conversationPaths.temporaryReply, temporary(id).request) },
  ],
};
/** Routes whose bodies have parts of any kind, among them those that name a file. */
const usesOfParts: typeof uses = {
  [`POST ${transferPaths.import}`]: [
    { status: 200, use: (id) => calledBy("POST", transferPaths.import, importOf(id)) },
  ],
  [`POST ${conversationPaths.chatMessage(":id")}`]: [
    {
      status: 201,
      use: (id) =>
        calledBy("POST", conversationPaths.chatMessage(eveChat), { role: "user", content: "Noted", parts: [part(id)] }),
    },
  ],
};

type Schema = { pattern?: string; const?: unknown; properties?: Record<string, Schema> };
type Description = { paths: Record<string, Record<string, { parameters?: unknown; requestBody?: unknown }>> };

/** Names of the routes whose path, query or body has a value that `isOne` recognises in the description of the API. */
async function routesWith(isOne: (schema: Schema) => boolean): Promise<string[]> {
  const { paths: described } = (await (await fetch(`${chat.app.url}/api/docs/json`)).json()) as Description;
  const isWithin = (value: unknown): boolean =>
    typeof value === "object" && value !== null && (isOne(value as Schema) || Object.values(value).some(isWithin));
  return Object.entries(described).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters, requestBody }]) => isWithin([parameters, requestBody]))
      .map(([method]) => `${method.toUpperCase()} ${path.slice(API_BASE.length).replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
}

const { pattern } = z.toJSONSchema(fileIdSchema);

describe("M1 ids of other accounts' files", () => {
  it("M1 each route that takes an id of a file, in its path or its body, has a case in this test", async () => {
    expect(pattern).toContain("[0-9a-f]{8}");
    const described = await routesWith((schema) => schema.pattern === pattern);
    const served = chat.app.routes
      .filter(({ url }) => url.startsWith(`${API_BASE}${filePaths.file("")}`))
      .map(({ method, url }) => `${method} ${url.slice(API_BASE.length)}`);
    expect([...new Set([...described, ...served])].sort()).toEqual(Object.keys(uses).sort());
    const withParts = await routesWith(({ properties }) => properties?.kind !== undefined && "seq" in properties);
    expect([...new Set([...withParts, `POST ${transferPaths.import}`])].sort()).toEqual(
      Object.keys(usesOfParts).sort(),
    );
  });

  const cases = [uses, usesOfParts].flatMap((all) =>
    Object.entries(all).flatMap(([route, list]) => list.map((one, at) => ({ route, at, ...one }))),
  );
  it.each(cases)(
    "M1 an id of another account's file behaves like an unknown one: $route ($at)",
    async ({ status, use }) => {
      const rowsOfAda = async () =>
        (await allRows(chat.app.context.database)).filter((row) => row.includes(`"${chat.ada.user.id}"`));
      const before = await rowsOfAda();
      const unknown = await use(crypto.randomUUID());
      const foreign = await use(adaFile);
      expect([foreign.status, unknown.status]).toEqual([status, status]);
      expect(foreign.text).not.toContain(SECRET);
      if (status >= 400) {
        expect(foreign.text).toBe(unknown.text);
        expect(await rowsOfAda()).toEqual(before);
        return;
      }
      // What was stored names nothing of Ada, now and for later answers.
      await calledBy("POST", conversationPaths.chatReply(eveChat), { mode: "regenerate", model: MODEL });
      await send([]);
      const { text: history } = await calledBy("GET", conversationPaths.chatHistory);
      const chats = (JSON.parse(history) as { id: string }[]).map(({ id }) => id);
      for (const id of chats) {
        for (const format of ["json", "html", "markdown"]) {
          const answer = await chat.app.call("GET", `${transferPaths.chatExport(id)}?format=${format}`, {
            token: eve.token,
          });
          expect(Buffer.from(await answer.arrayBuffer()).includes(SECRET)).toBe(false);
        }
        await calledBy("POST", conversationPaths.chatSend(id), { message: "And now?", model: MODEL });
      }
      expect(JSON.stringify(chat.provider.requests.map(({ body }) => body))).not.toContain(SECRET);
      expect(await rowsOfAda()).toEqual(before);
      const download = await chat.app.call("GET", filePaths.file(adaFile), chat.ada);
      expect(await download.text()).toBe(SECRET);
    },
  );
});
