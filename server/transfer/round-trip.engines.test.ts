import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NEW_CHAT_TITLE } from "#contract/conversation/chats.ts";
import { oneLine } from "#contract/text/name-text.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import {
  type ExportDocument,
  type ExportedChat,
  type ExportedMessage,
  exportSchema,
} from "#contract/transfer/transfer.ts";
import { signUpProved, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { meaningOf } from "../../testing/chats/exported-chats.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const NOW = Date.now() - 1000;
const time = fc.integer({ min: 0, max: NOW });
const tokens = fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { nil: undefined });
const words = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength }),
      fc.string({ unit: "binary", maxLength }),
      fc.constantFrom(
        "שלום עולם",
        "漢字とかな",
        "ไทย",
        "👩‍👩‍👧 ok",
        "```js\nlet a;\n```",
        '"__proto__": {}',
        "</script><b>",
      ),
    )
    .map((text) => wellFormed(text).slice(0, maxLength).toWellFormed());
const name = (maxLength: number, fallback: string) =>
  words(maxLength).map(
    (text) => oneLine(text.replaceAll(/\s+/g, " ")).slice(0, maxLength).trim().toWellFormed() || fallback,
  );

/** A message without ids; `after` selects its parent among the messages before it. */
type Seed = Omit<ExportedMessage, "id" | "parent"> & { after: number };

/** A part, of this version's kinds or another one. */
const part = fc.oneof(
  fc.record({ at: fc.nat(59), kind: fc.constant("reasoning"), text: words(60), durationMs: fc.nat() }),
  fc.record({
    at: fc.nat(59),
    kind: fc.constant("notice"),
    code: fc.constant("cut"),
    params: fc.record({ messages: fc.nat() }),
  }),
  fc.record({ at: fc.nat(59), kind: fc.constant("hologram"), text: words(20), depth: fc.jsonValue({ maxDepth: 2 }) }),
);

const answer = fc
  .record({
    after: fc.nat(),
    role: fc.constant("assistant" as const),
    content: words(60),
    state: fc.constantFrom("complete", "stopped", "failed", "interrupted"),
    model: fc.option(fc.constantFrom("GPT:gpt-5", "LOCAL:llama3.2:3b", "gone")),
    requestedModel: fc.option(fc.constant("GPT:gpt-5"), { nil: undefined }),
    code: fc.option(fc.constantFrom("assistant-busy", "assistant-failed"), { nil: undefined }),
    seams: fc.uniqueArray(fc.nat(59), { maxLength: 4 }),
    parts: fc.array(part, { maxLength: 4 }),
    isTruncated: fc.constantFrom(true, undefined),
    inputTokens: tokens,
    outputTokens: tokens,
    createdAt: time,
    endedAt: fc.option(time),
  })
  .map((seed): Seed => {
    const seams = seed.seams.filter((at) => at > 0 && at < seed.content.length).sort((a, b) => a - b);
    // Answers that ended without text are not part of a chat.
    const state = seed.content === "" ? "interrupted" : seed.state;
    const isEmptyReply = seed.role === "assistant" && seed.content === "";
    const parts = (isEmptyReply ? [] : seed.parts).map((one, seq) => ({
      ...one,
      seq,
      at: one.at % (seed.content.length + 1),
    }));
    const present = { ...(seams.length > 0 && { seams }), ...(parts.length > 0 && { parts }) };
    return { ...seed, seams: undefined, parts: undefined, ...present, state } as Seed;
  });
const question = fc.record({
  after: fc.nat(),
  role: fc.constant("user" as const),
  content: words(60).map((text) => (text.trim() === "" ? "?" : text)),
  state: fc.constant("complete" as const),
  model: fc.constant(null),
  createdAt: time,
  endedAt: fc.option(time),
});

const chat = fc
  .record({
    title: name(200, NEW_CHAT_TITLE),
    titleOrigin: fc.constantFrom("default", "question", "model", "person"),
    createdAt: time,
    updatedAt: time,
    isPinned: fc.boolean(),
    isArchived: fc.boolean(),
    folder: fc.nat(3),
    instructions: words(100),
    preset: fc.nat(3),
    leaf: fc.nat(),
    seeds: fc.array(fc.oneof(question, answer), { maxLength: 8 }),
  })
  .map(({ seeds, ...rest }) => ({ ...rest, messages: grow(seeds) }));

/** Assigns ids, and a random earlier message as parent. Sorts like an export: by time. */
function grow(seeds: Seed[]): ExportedMessage[] {
  const messages = seeds.map(({ after, ...seed }, at): ExportedMessage => {
    const parent = at === 0 || after % (at + 1) === at ? null : `m${after % (at + 1)}`;
    return { ...seed, id: `m${at}`, parent };
  });
  return messages.sort((a, b) => a.createdAt - b.createdAt);
}

const account = fc
  .record({
    instructions: words(100),
    folders: fc.array(name(60, "Folder"), { maxLength: 3 }),
    presets: fc.array(
      fc.record({
        name: name(60, "Preset"),
        instructions: words(100),
        model: fc.option(fc.constantFrom("GPT:gpt-5", "LOCAL:any")),
        temperature: fc.option(fc.constantFrom(0, 0.25, 1.3, 2)),
      }),
      { maxLength: 3 },
    ),
    chats: fc.array(chat, { maxLength: 4 }),
  })
  .map(({ instructions, folders, presets, chats }): ExportDocument => {
    const filed = {
      folders: folders.map((name, at) => ({ id: `f${at}`, name })),
      presets: presets.map((preset, at) => ({ id: `p${at}`, ...preset })),
    };
    return {
      format: "parley-export",
      version: 1,
      account: { instructions },
      ...filed,
      chats: chats.map(
        ({ folder, preset, leaf, ...rest }, at): ExportedChat => ({
          ...rest,
          id: `c${at}-${folder}`,
          folder: filed.folders[folder]?.id ?? null,
          preset: filed.presets[preset]?.id ?? null,
          leaf: rest.messages.length === 0 ? null : `m${leaf % rest.messages.length}`,
        }),
      ) as ExportedChat[],
    };
  });

async function take(document: ExportDocument, { token }: TestAccount): Promise<void> {
  const response = await app.call("POST", transferPaths.import, { token, body: document });
  const { chats: given } = document;
  expect(await response.json()).toMatchObject({ imported: given.length, skipped: 0, problems: [] });
}

async function exportOf({ token }: TestAccount): Promise<ExportDocument> {
  const text = await (await app.call("GET", transferPaths.export, { token })).text();
  // The schema must neither remove nor repair anything.
  const document = exportSchema.parse(JSON.parse(text));
  expect(document).toEqual(JSON.parse(text));
  return document;
}

it("an imported export is exported with the same content, for arbitrary accounts", async () => {
  await fc.assert(
    fc.asyncProperty(account, async (document) => {
      const [first, second] = [await signUpProved(app), await signUpProved(app)];
      await take(document, first);
      const exported = await exportOf(first);
      expect(meaningOf(exported)).toEqual(meaningOf(document));
      await take(exported, second);
      expect(meaningOf(await exportOf(second))).toEqual(meaningOf(exported));
    }),
    { numRuns: 40 },
  );
});
