import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KnownPart, knownPartSchema } from "#contract/conversation/known-parts.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { importResultSchema } from "#contract/transfer/transfer.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported } from "../../../testing/chats/exported-chats.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token: ada.token, body });
const titled = (title: string) => exported({ title });

/** A chat whose answer has this part. */
function chatWith(part: object, title: string) {
  const chat = titled(title);
  return { ...chat, messages: chat.messages.map((each, at) => (at === 1 ? { ...each, parts: [part] } : each)) };
}

async function take(chats: readonly unknown[]) {
  const response = await call("POST", transferPaths.import, documentOf({ chats }));
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return importResultSchema.parse(JSON.parse(text));
}

type Opened = { messages: { parts?: { id?: string }[] }[] };

async function chatCalled(title: string): Promise<Opened> {
  const listed = (await (await call("GET", conversationPaths.chatHistory)).json()) as { id: string; title: string }[];
  const response = await call("GET", conversationPaths.chat(listed.find((each) => each.title === title)?.id ?? ""));
  expect([title, response.status]).toEqual([title, 200]);
  return (await response.json()) as Opened;
}

const anchor = { seq: 0, at: 0 };
const file = { id: crypto.randomUUID(), name: "a.pdf", type: "application/pdf", size: 6 };
/** A valid part of each kind with all of its fields. */
const wholeParts: { [Kind in KnownPart["kind"]]: Extract<KnownPart, { kind: Kind }> } = {
  reasoning: { ...anchor, kind: "reasoning", text: "Hm.", durationMs: 5 },
  file: { ...anchor, kind: "file", ...file, width: 1, height: 1, pages: 1, remark: "cut", tool: 1 },
  tool: {
    ...anchor,
    kind: "tool",
    server: "web",
    name: "search",
    call: "call1",
    step: 0,
    attempt: 1,
    state: "succeeded",
    arguments: '{"query":"cats"}',
    digest: "d",
    isRepeatable: true,
    result: "A cat.",
    isCut: true,
    durationMs: 5,
    reason: "slow",
    sources: [{ number: 1, url: "https://cats.example/", title: "Cats", from: 0, to: 6, fetchedAt: 5 }],
    from: { name: "Cats", host: "cats.example" },
    title: "Search cats",
    effect: "read",
    progress: { done: 1, total: 2, message: "Half" },
    question: { id: "q", forms: [{ key: "k", message: "Which?", fields: [] }] },
    asked: 1,
    hasTask: true,
    structured: '[{"cat":1}]',
  },
  source: {
    ...anchor,
    kind: "source",
    source: "1",
    url: "https://cats.example/",
    title: "Cats",
    tool: 0,
    quote: "A cat.",
    checked: "found",
  },
  notice: { ...anchor, kind: "notice", code: "file", params: { file: file.id, name: "a.pdf", received: "none" } },
};

/** Values that a schema, a statement or a screen may not expect. */
const hostile: unknown[] = [
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "x".repeat(90_000),
  "x".repeat(200_000),
  "",
  "'; drop table files; --",
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  true,
  null,
  [],
  ["a\0b"],
  {},
  { a: "a\0b", "b\0": "\ud800" },
  { __proto__: null, constructor: "x", toString: "x" },
];

const fields = Object.values(wholeParts).flatMap((part) =>
  Object.keys(part)
    .filter((field) => field !== "kind")
    .map((field) => [part.kind, field, part] as const),
);

describe("imported parts of known kinds", () => {
  it("the parts of this test have every field of every known kind", () => {
    for (const { shape } of knownPartSchema.def.options) {
      for (const kind of shape.kind.def.values) {
        expect([kind, Object.keys(wholeParts[kind]).sort()]).toEqual([kind, Object.keys(shape).sort()]);
      }
    }
  });

  it.each(fields)(
    "a hostile %s part, by its field %s, ends no import, and its chat opens",
    async (kind, field, part) => {
      const chats = hostile.map((value, at) => chatWith({ ...part, [field]: value }, `${kind} ${field} ${at}`));
      const after = titled("After them");
      const { imported, problems } = await take([...chats, after]);
      expect(imported).toBe(chats.length + 1);
      expect(problems.filter(({ reason }) => reason !== "files")).toEqual([]);
      for (const { title } of chats) await chatCalled(title);
      expect((await take([...chats, after])).skipped).toBe(chats.length + 1);
    },
  );

  it("an imported call that asks the person is declined, and asks nothing", async () => {
    await take([chatWith({ ...wholeParts.tool, state: "asking" }, "Asking")]);
    const { messages } = await chatCalled("Asking");
    const [part] = messages.flatMap(({ parts = [] }) => parts);
    expect(part).toMatchObject({ state: "declined", reason: "imported", asked: 1 });
    expect(Object.keys(part ?? {})).not.toContain("question");
  });

  it("a file part is kept only if its id can be one of a file", async () => {
    const ids = [file.id, file.id.toUpperCase(), "a\0b", "\ud800", "no-uuid", `${file.id}x`, "x".repeat(1000)];
    const parts = ids.map((id, seq) => ({ ...wholeParts.file, id, seq }));
    const chat = titled("Ids");
    await take([{ ...chat, messages: chat.messages.map((each, at) => (at === 1 ? { ...each, parts } : each)) }]);
    const { messages } = await chatCalled("Ids");
    const kept = messages.flatMap(({ parts = [] }) => parts.map(({ id }) => id));
    expect(kept).toEqual([file.id]);
  });

  it("a file part with an id of another form that was stored earlier ends no import of its chat", async () => {
    const chat = chatWith(wholeParts.file, "Earlier");
    await take([chat]);
    const { database } = app.context;
    const body = JSON.stringify({ ...file, id: "a\0b" });
    await database.updateTable("message_parts").set({ body }).where("kind", "=", "file").execute();
    expect(await take([chat])).toMatchObject({ skipped: 1, problems: [{ chat: "Earlier", reason: "files" }] });
  });
});

/** Lets the database refuse chats of a title with an error. */
async function refuse(title: string, code: string): Promise<AsyncDisposable> {
  const { database } = app.context;
  if (isOnPostgres) {
    await sql`create function refuse_chat() returns trigger language plpgsql as
      ${sql.raw(`$$ begin raise exception 'refused' using errcode = '${code}'; end $$`)}`.execute(database);
    await sql`create trigger refuse_chat before insert on chats for each row
      when (new.title = ${sql.lit(title)}) execute function refuse_chat()`.execute(database);
  } else {
    await sql`create trigger refuse_chat before insert on chats when new.title = ${sql.lit(title)}
      begin select raise(abort, 'refused'); end`.execute(database);
  }
  return {
    async [Symbol.asyncDispose]() {
      if (isOnPostgres) await sql`drop function refuse_chat() cascade`.execute(database);
      else await sql`drop trigger refuse_chat`.execute(database);
    },
  };
}

describe("a chat that the database refuses", () => {
  it("a chat that the database refuses is reported as broken, and the others are imported", async () => {
    await using _refusing = await refuse("Refused", "22P05");
    const { imported, problems } = await take([titled("Before"), titled("Refused"), titled("Behind")]);
    expect([imported, problems]).toEqual([2, [{ chat: "Refused", reason: "broken" }]]);
    const listed = (await (await call("GET", conversationPaths.chatHistory)).json()) as { title: string }[];
    const titles = listed.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(["Before", "Behind"]));
    expect(titles).not.toContain("Refused");
    expect(app.logLines.join()).toMatch(/a chat was not imported/);
  });

  it.runIf(isOnPostgres).each([
    ["57P01", "unavailable"],
    ["53100", "storage-full"],
  ])("an import ends with its own error while the database fails with %s", async (code, answered) => {
    await using _refusing = await refuse("Refused", code);
    const response = await call(
      "POST",
      transferPaths.import,
      documentOf({ chats: [titled("Refused"), titled("Never stored")] }),
    );
    expect((await problemOf(response)).code).toBe(answered);
    const listed = (await (await call("GET", conversationPaths.chatHistory)).json()) as { title: string }[];
    expect(listed.map(({ title }) => title)).not.toContain("Never stored");
  });
});
