import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Chat, chatSchema } from "#contract/conversation/conversation.ts";
import { type ChatTree, chatTreeSchema } from "#contract/conversation/conversation-calls.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { Random } from "../../testing/app/random.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { readReply } from "../../testing/http/read-events.ts";
import type { MessageRow } from "../database/schema.ts";

/** Seeds of random operation sequences of two concurrent clients in one chat. */
const SEEDS = ["1", "2", "3", "4", "5", "6"];
const STEPS = 25;
const GPT = "GPT:gpt-5-mini";
/** PostgreSQL's error code of a deadlock. */
const DEADLOCK = '"40P01"';

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ DAILY_REPLIES_PER_USER: "100000" });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** A chat that two clients write to, and the writes that the server acknowledged. */
class Shared {
  readonly account: TestAccount;
  readonly id: string;
  readonly random: Random;
  /** Acknowledged texts and replies. */
  readonly acknowledged = new Set<string>();
  readonly statuses = new Map<string, number>();
  #keys = 0;
  #questions = 0;

  constructor(account: TestAccount, id: string, random: Random) {
    this.account = account;
    this.id = id;
    this.random = random;
  }

  async call(method: string, path: string, body?: unknown, key?: string): Promise<Response> {
    const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
    const { token } = this.account;
    const response = await whileBusy(chat.app, () =>
      chat.app.call(method, `/chat/${this.id}${path}`, { token, body, headers }),
    );
    const told = `${method} ${path} ${response.status}`;
    this.statuses.set(told, (this.statuses.get(told) ?? 0) + 1);
    // Any other status would be an error of the server.
    expect([200, 204, 404, 409], told).toContain(response.status);
    return response;
  }

  async tree(): Promise<ChatTree> {
    return chatTreeSchema.parse(await (await this.call("GET", "/tree")).json());
  }

  /** Both clients draw from few keys, so that keys repeat with the same or another request. */
  key(): string | undefined {
    if (this.random.chance(0.3)) return undefined;
    if (this.random.chance(0.8)) this.#keys += 1;
    return `${this.id}-${this.#keys}`;
  }

  question(): string {
    if (this.random.chance(0.85)) this.#questions += 1;
    const scenario = this.random.pick(["", "", "", "[scenario:slow]", "[scenario:wrong-key]", "[scenario:broken-off]"]);
    return `Question ${this.#questions} ${scenario}`;
  }
}

/** Runs one client, whose view of the chat may be outdated. */
async function live(shared: Shared, random: Random): Promise<void> {
  let known = await shared.tree();
  const some = () => (known.messages.length > 0 ? random.pick(known.messages as [(typeof known.messages)[0]]) : null);
  for (let step = 0; step < STEPS; step++) {
    if (random.chance(0.5)) known = await shared.tree();
    const kind = random.pick(["send", "send", "edit", "edit", "regenerate", "choose", "choose", "continue", "stop"]);
    if (kind === "send" || kind === "edit") {
      const message = shared.question();
      const position = kind === "send" ? { parent: known.leaf } : { parent: some()?.parent ?? null, branch: true };
      await read(
        shared,
        random,
        message,
        await shared.call("POST", "/send?stream=1", { message, model: GPT, ...position }, shared.key()),
      );
    } else if (kind === "regenerate" || kind === "continue") {
      const of = kind === "regenerate" && random.chance(0.8) ? { of: some()?.id ?? "none" } : {};
      const seen = random.chance(0.5) && known.leaf ? { parent: known.leaf } : {};
      const body = { mode: kind, model: GPT, ...of, ...seen };
      await read(shared, random, null, await shared.call("POST", "/reply", body, shared.key()));
    } else if (kind === "choose") {
      const message = some();
      const answer = await shared.call("POST", "/branch", { message: message?.id ?? "none" });
      if (answer.ok) expectWhole(chatSchema.parse(await answer.json()));
    } else {
      await shared.call("POST", "/stop", undefined);
    }
  }
}

/** Reads a reply to its end, or disconnects. */
async function read(shared: Shared, random: Random, message: string | null, response: Response): Promise<void> {
  if (!response.ok) return;
  if (message !== null) shared.acknowledged.add(message);
  if (random.chance(0.3)) return void response.body?.cancel();
  const { text } = await readReply(response);
  if (text !== "") shared.acknowledged.add(text);
}

/** Expects the shown branch to lead from the root to the leaf, and each message to be among its alternatives. */
function expectWhole({ messages }: Chat): void {
  expect(messages.map(({ parent }) => parent)).toEqual(
    [null, ...messages.map(({ id }) => id)].slice(0, messages.length),
  );
  for (const { id, alternatives } of messages) {
    expect(new Set(alternatives).size).toBe(alternatives?.length ?? 0);
    if (alternatives) expect(alternatives).toContain(id);
  }
}

const isRecord = ({ role, content, state }: MessageRow) =>
  role === "assistant" && content === "" && state !== "writing" && state !== "interrupted";

const rowsOf = ({ id }: Shared) =>
  chat.app.context.database.selectFrom("messages").selectAll().where("chat_id", "=", id).execute();

async function expectTree(shared: Shared): Promise<void> {
  const tree = await shared.tree();
  const rows = await rowsOf(shared);
  const byId = new Map(rows.map((row) => [row.id, row]));
  expect(tree.messages.map(({ id }) => id).sort()).toEqual(
    rows
      .filter((row) => !isRecord(row))
      .map(({ id }) => id)
      .sort(),
  );
  const inTree = new Map(tree.messages.map((message) => [message.id, message]));
  for (const row of rows) {
    let steps = 0;
    for (let at: MessageRow | undefined = row; at?.parent != null; at = byId.get(at.parent)) {
      expect(inTree.has(at.parent), `the parent of ${at.id} is in the tree of the chat`).toBe(true);
      expect(steps++).toBeLessThan(rows.length);
    }
  }
  expect(rows.filter(({ state }) => state === "writing")).toEqual([]);
  expect(tree.leaf === null || inTree.has(tree.leaf)).toBe(true);
  const opened = chatSchema.parse(await (await shared.call("GET", "")).json());
  expectWhole(opened);
  expect(opened.messages.at(-1)?.id ?? null).toBe(tree.leaf);
  for (const { role, parent, alternatives } of opened.messages) {
    const beside = tree.messages.filter((other) => other.role === role && other.parent === parent).map(({ id }) => id);
    expect(alternatives).toEqual(beside.length > 1 ? beside : undefined);
  }
  const stored = tree.messages.map(({ content }) => content);
  for (const text of shared.acknowledged)
    expect(
      stored.some((content) => content.includes(text)),
      text,
    ).toBe(true);
}

it.each(SEEDS)("a chat stays a consistent tree during concurrent writes of two clients (seed %s)", async (seed) => {
  const random = new Random(`branches ${seed}`);
  chat.provider.reset();
  chat.provider.paceMs = 2;
  let said = 0;
  chat.provider.reply = () => `Answer ${++said} of many words, one after the other`;
  const account = await signUp(chat.app);
  const shared = new Shared(account, await chat.createChat(account), random.fork("shared"));
  await Promise.all([live(shared, random.fork("one")), live(shared, random.fork("other"))]);
  await shared.call("POST", "/stop");
  await expectTree(shared);
  expect(shared.acknowledged.size).toBeGreaterThan(5);
  expect(shared.statuses.get("POST /branch 200")).toBeGreaterThan(0);

  // One client continues while the other deletes the chat: it is not found, and nothing is written to it.
  await Promise.all([live(shared, random.fork("late")).catch(() => {}), shared.call("DELETE", "")]);
  expect((await shared.call("GET", "")).status).toBe(404);
  await vi.waitUntil(async () => (await rowsOf(shared)).every(({ state }) => state !== "writing"));
  // Long waits are allowed, deadlocks are not.
  expect(chat.app.logLines.filter((line) => line.includes(DEADLOCK))).toEqual([]);
});
