import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ExportDocument, exportSchema } from "#contract/transfer/transfer.ts";
import { signUp, signUpProved, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readEvents } from "../../testing/http/read-events.ts";

let chat: ScriptedChat;
let app: TestApp;
beforeAll(async () => {
  chat = await startScriptedChat();
  ({ app } = chat);
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
});

const exportAs = (format: string, id = chat.chatId, { token } = chat.ada) =>
  app.call("GET", `${transferPaths.chatExport(id)}?format=${format}`, { token });
const exportAll = async ({ token, password } = chat.ada) => {
  await app.call("POST", accountPaths.proof, { token, body: { password } });
  return app.call("GET", transferPaths.export, { token });
};
const parse = async (response: Response): Promise<ExportDocument> => exportSchema.parse(await response.json());

const take = (body: unknown, { token } = chat.ada) => app.call("POST", transferPaths.import, { token, body });

/** Returns the id of the chat that was imported last. */
async function newest({ token }: TestAccount): Promise<string> {
  const [first] = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as { id: string }[];
  return first?.id ?? "";
}

describe("exports of a chat", () => {
  it("a chat is exported as Markdown with its shown branch and unchanged text", async () => {
    chat.provider.reply = "# An *inlet*\n\n| a | b |";
    await chat.send({ message: "What is\n\n**a fjord**?", model: "GPT:gpt-5-mini" });
    const response = await exportAs("markdown");
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const text = await response.text();
    expect(text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "TIME")).toMatch(
      /^# .+\n\n\*Parley · TIME\*\n\n## You\n\n\*TIME\*\n\nWhat is\n\n\*\*a fjord\*\*\?\n\n## Assistant\n\n\*gpt-5-mini · TIME\*\n\n# An \*inlet\*\n\n\| a \| b \|\n$/,
    );
  });

  it("an exported file is named after the chat's title, in ASCII and in UTF-8", async () => {
    const names: unknown[] = [];
    for (const title of ["Café / “déjà-vu”: *?", "漢字", "..", "CON", "nul.notes", "x".repeat(200), 'a"b\\c;d\u202e']) {
      await take(documentOf({ chats: [exported({ title, updatedAt: Date.now() })] }));
      const response = await exportAs("json", await newest(chat.ada));
      names.push(response.headers.get("content-disposition"));
      await app.call("DELETE", conversationPaths.chat(await newest(chat.ada)), { token: chat.ada.token });
    }
    expect(names).toEqual([
      `attachment; filename="Cafe deja-vu.json"; filename*=UTF-8''Caf%C3%A9%20%E2%80%9Cd%C3%A9j%C3%A0-vu%E2%80%9D.json`,
      `attachment; filename="chat.json"; filename*=UTF-8''%E6%BC%A2%E5%AD%97.json`,
      `attachment; filename="chat.json"; filename*=UTF-8''chat.json`,
      `attachment; filename="chat.json"; filename*=UTF-8''chat.json`,
      `attachment; filename="chat.json"; filename*=UTF-8''chat.json`,
      `attachment; filename="${"x".repeat(60)}.json"; filename*=UTF-8''${"x".repeat(60)}.json`,
      `attachment; filename="a b c;d.json"; filename*=UTF-8''a%20b%20c%3Bd.json`,
    ]);
  });

  it("a chat is exported as JSON with all branches, its folder and its preset, but without data of the account", async () => {
    const preset = { id: "p", name: "Poet", instructions: "Rhyme.", model: null, temperature: null };
    const account = { instructions: "Secret" };
    const folders = [
      { id: "f", name: "Work" },
      { id: "g", name: "Home" },
    ];
    await take(
      documentOf({
        account,
        folders,
        presets: [preset],
        chats: [exported({ folder: "f", preset: "p", updatedAt: Date.now() })],
      }),
    );
    const document = await parse(await exportAs("json", await newest(chat.ada)));
    expect(document).toMatchObject({
      format: "parley-export",
      version: 1,
      product: "Parley",
      folders: [{ name: "Work" }],
      presets: [{ name: "Poet" }],
      chats: [{ title: "Fjords", messages: [{ role: "user" }, { role: "assistant" }] }],
    });
    expect(document.account).toBeUndefined();
    expect(document.chats[0]?.folder).toBe(document.folders?.[0]?.id);
  });

  it("an export contains the text so far of a running reply, as interrupted", async () => {
    const response = await chat.stream({ message: "[scenario:held]" });
    chat.provider.release("So far");
    for await (const event of readEvents(response)) if (event !== "[DONE]" && event.token) break;
    const { chats } = await parse(await exportAs("json"));
    expect(chats[0]?.messages[1]).toMatchObject({ content: "So far", state: "interrupted", endedAt: null });
    expect(await (await exportAs("markdown")).text()).toContain("So far\n\n*This answer was interrupted.*");
    expect(await (await exportAs("html")).text()).toContain("So far");
    chat.provider.finish();
  });

  it("an exported chat is inaccessible to other accounts", async () => {
    const eve = await signUp(app);
    const nobodys = await (await exportAs("json", "nobody", eve)).text();
    for (const format of ["markdown", "json", "html"]) {
      const response = await exportAs(format, chat.chatId, eve);
      expect([response.status, await response.text()]).toEqual([404, nobodys]);
    }
    expect((await app.call("GET", `${transferPaths.chatExport(chat.chatId)}?format=json`)).status).toBe(401);
    expect((await exportAs("pdf")).status).toBe(400);
    await chat.call("DELETE", "");
    expect((await exportAs("json")).status).toBe(404);
  });
});

describe("exports of an account", () => {
  it("an export of the account contains archived chats, folders and instructions, but no deleted chats", async () => {
    await chat.call("DELETE", "");
    const folders = [{ id: "f", name: "Work" }];
    const chats = [
      exported({ title: "One", isArchived: true, folder: "f" }),
      exported({ title: "Two", isPinned: true }),
    ];
    await take(documentOf({ account: { instructions: "Be brief." }, folders, chats }));
    const response = await exportAll();
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="Parley \d{4}-\d\d-\d\d\.json"/);
    const document = await parse(response);
    expect(document).toMatchObject({
      account: { instructions: "Be brief." },
      folders: [{ name: "Work" }],
      chats: [
        { title: "One", isArchived: true, isPinned: false, folder: document.folders?.[0]?.id },
        { title: "Two", isPinned: true, folder: null },
      ],
    });
  });

  it("an export without chats is a valid document", async () => {
    const eve = await signUp(app);
    expect(await parse(await exportAll(eve))).toMatchObject({ chats: [], folders: [], presets: [] });
    expect((await app.call("GET", transferPaths.export)).status).toBe(401);
  });

  /** Replaces the text of all messages by 900 kB, past the search index, which is slow with so much text. */
  async function enlargeMessages({ user }: TestAccount): Promise<void> {
    const { database } = app.context;
    const ids = await database.selectFrom("messages").select("id").where("user_id", "=", user.id).execute();
    const content = "x".repeat(900_000);
    for (const { id } of ids) await database.updateTable("messages").where("id", "=", id).set({ content }).execute();
  }

  it("an export is read from the database no faster than its client receives it (backpressure)", async () => {
    const eve = await signUpProved(app);
    const short = Array.from({ length: 80 }, () => exported({ messages: [message()], leaf: null }));
    expect((await take(documentOf({ chats: short }), eve)).status).toBe(200);
    await enlargeMessages(eve);
    const queries = vi.spyOn(app.context.database, "selectFrom");
    const leaving = new AbortController();
    const { token } = eve;
    const { body } = await app.call("GET", transferPaths.export, { token, signal: leaving.signal });
    const reader = body?.getReader();
    await reader?.read();
    let chats = 0;
    // Without backpressure all 80 chats would be read before the reading pauses.
    await vi.waitUntil(() => {
      const before = chats;
      chats = queries.mock.calls.filter(([table]) => table === "chats").length;
      return chats === before;
    });
    expect(chats).toBeGreaterThan(0);
    expect(chats).toBeLessThan(40);
    queries.mockRestore();
    let bytes = 0;
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) bytes += read.value.length;
    expect(bytes).toBeGreaterThan(70_000_000);
    leaving.abort();
  });

  /** Starts the export of an account with more data than the buffers up to the client can hold. */
  async function beginExport() {
    const eve = await signUpProved(app);
    const longOf = () => exported({ messages: Array.from({ length: 16 }, () => message()), leaf: null });
    const last = exported({ title: "Last", updatedAt: Date.now() });
    expect((await take(documentOf({ chats: [longOf(), longOf(), last] }), eve)).status).toBe(200);
    await enlargeMessages(eve);
    const { body } = await app.call("GET", transferPaths.export, { token: eve.token });
    const reader = body?.getReader();
    await reader?.read();
    const readAll = async () => {
      const decoder = new TextDecoder();
      let text = "";
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
        text += decoder.decode(read.value, { stream: true });
      return text;
    };
    return { eve, readAll };
  }

  it("an export omits a chat that is deleted before it reaches that chat", async () => {
    const { eve, readAll } = await beginExport();
    await app.call("DELETE", conversationPaths.chat(await newest(eve)), { token: eve.token });
    const text = await readAll();
    expect([text.endsWith("\n]}\n"), text.includes("Last")]).toEqual([true, false]);
  });

  it("an export is aborted when its user signs out", async () => {
    const { eve, readAll } = await beginExport();
    expect((await app.call("POST", accountPaths.logout, { token: eve.token })).status).toBeLessThan(300);
    await expect(readAll()).rejects.toThrow();
  });

  it("an export is refused after too many requests in an hour", async () => {
    await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
    const eve = await signUpProved(limited);
    const ask = () => limited.call("GET", transferPaths.export, { token: eve.token });
    const statuses = new Set<number>();
    for (let at = 0; at < 61; at++) {
      const { status, body } = await ask();
      await body?.cancel();
      statuses.add(status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });
});

it("the JSON schema in docs/ is the schema that validates imports", async () => {
  const written = await readFile(new URL("../../docs/export-format.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(written)).toEqual(z.toJSONSchema(exportSchema, { io: "input" }));
});
