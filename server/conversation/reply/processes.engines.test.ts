import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import type { TestApp } from "../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../testing/app/wait-for.ts";
import { readFirstWords } from "../../../testing/chats/first-words.ts";
import { startTwoProcesses, type TwoProcesses } from "../../../testing/chats/two-processes.ts";
import { whileBusy } from "../../../testing/chats/while-busy.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readReply } from "../../../testing/http/read-events.ts";
import type { ScriptedProvider } from "../../../testing/provider/scripted-provider.ts";

describe.runIf(isOnPostgres)("two processes on one database, without Redis", () => {
  let processes: TwoProcesses;
  let provider: ScriptedProvider;
  let one: TestApp;
  let other: TestApp;
  let token: string;
  let id: string;

  beforeAll(async () => {
    processes = await startTwoProcesses();
    ({ provider, one, other } = processes);
  });
  afterAll(() => processes[Symbol.asyncDispose]());
  beforeEach(async () => {
    ({ token, id } = await processes.renew());
  });

  /** Starts a reply in process `one` and waits for its first words. */
  async function startWriting(words: string) {
    const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
    const response = await one.call("POST", `/chat/${id}/send?stream=1`, { token, body });
    provider.release(words);
    return (await readFirstWords(response)).events;
  }

  const last = (app: TestApp, chat?: string) => processes.last(app, chat);

  const until = (state: Message["state"], app: TestApp): Promise<Message> =>
    waitFor(`a reply that is ${state}`, async () => {
      const message = await last(app);
      return message.state === state && message;
    });
  /** Waits until the last message of a chat satisfies `isWanted`. */
  const untilLast = (isWanted: (message: Message) => boolean, chat?: string) =>
    vi.waitUntil(async () => isWanted(await last(other, chat)));

  it("R4 a reply whose row is locked does not delay the storing of other replies", async () => {
    const free = await processes.createChat();
    const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
    for (const [index, chat] of [id, free].entries()) {
      const answer = await one.call("POST", `/chat/${chat}/send?stream=1`, { token, body });
      await answer.body?.cancel();
      await provider.untilHeld(index + 1);
    }
    const { database } = other.context;
    const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await database.transaction().execute(async (db) => {
      await db.selectFrom("messages").select("id").where("chat_id", "=", id).forNoKeyUpdate().execute();
      provider.release("In the row that is held.");
      provider.release("In the other row.");
      await vi.waitUntil(async () => {
        const { rows } = await waiting.execute(database);
        expect(rows).toEqual([{ count: 0 }]);
        return (await last(other, free)).content !== "";
      });
      expect((await last(other)).content).toBe("");
    });
    await untilLast(({ content }) => content !== "");
    provider.finish();
    provider.finish();
    expect((await until("complete", other)).content).toBe("In the row that is held.");
  });

  it("R4 stores a seam that is marked while an earlier one is being stored", async () => {
    await startWriting("First words");
    const live = one.context.replies.findInChat(id);
    const { database } = other.context;
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like 'update "messages" set "seams"%'`;
    await database.transaction().execute(async (db) => {
      await db.selectFrom("messages").select("id").where("chat_id", "=", id).forShare().execute();
      live?.markSeam();
      live?.append(", second words");
      await vi.waitUntil(async () => (await waiting.execute(database)).rows.length > 0);
      live?.markSeam();
      live?.append(", third words");
    });
    const text = "First words, second words, third words";
    await untilLast(({ content }) => content === text);
    expect((await last(other)).seams).toEqual([11, 25]);
  });

  it("a reader of one process follows a reply of the other process to its end", async () => {
    await startWriting("First words");
    const followed = readReply(await other.call("GET", `/chat/${id}/reply`, { token }));
    for (const piece of [", then more", ", then 😀", ", and the end."]) provider.release(piece);
    provider.finish();
    expect(await followed).toMatchObject({ text: "First words, then more, then 😀, and the end.", isDone: true });
  });

  it("a reader of the other process resumes a reply at any position", async () => {
    await startWriting("First words");
    const { id: reply } = await last(other);
    const followed = readReply(await other.call("GET", `/chat/${id}/reply?reply=${reply}&from=6`, { token }));
    provider.finish();
    expect(await followed).toMatchObject({ from: 6, text: "words", isDone: true });
  });

  it("R2 Stop in another process reaches the process that writes", async () => {
    const events = await startWriting("First words");
    expect((await other.call("POST", `/chat/${id}/stop`, { token })).status).toBe(204);
    expect(await last(other)).toMatchObject({ content: "First words", state: "stopped" });
    await (await provider.chat(1)).closed;
    expect((await provider.chat(1)).isAborted).toBe(true);
    const rest = [];
    for await (const event of events) rest.push(event);
    expect(rest).toEqual(["[DONE]"]);
  });

  it("R2 Stop also applies to a reply that is interrupted at the same moment", async () => {
    await startWriting("First words");
    const { id: reply } = await last(other);
    const { database } = other.context;
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like 'update "messages" set "stop_requested"%'`;
    const { stopped } = await database.transaction().execute(async (db) => {
      const ended = { state: "interrupted", content: "First words", ended_at: Date.now() } as const;
      await db.updateTable("messages").set(ended).where("id", "=", reply).execute();
      const stopped = other.call("POST", `/chat/${id}/stop`, { token });
      await vi.waitUntil(async () => (await waiting.execute(database)).rows.length > 0);
      return { stopped };
    });
    expect((await stopped).status).toBe(204);
    expect(await last(other)).toMatchObject({ content: "First words", state: "stopped" });
  });

  it("R12 allows one running reply, and one reply for a key, in whichever process", async () => {
    const send = (app: TestApp, message: string, key: string) => {
      const headers = { "idempotency-key": key };
      return app.call("POST", `/chat/${id}/send?stream=1`, { token, headers, body: { message } });
    };
    const same = await Promise.all(
      [one, other, one, other].map((app) => whileBusy(app, () => send(app, "Hello", "same"))),
    );
    const told = await Promise.all(same.map((response) => readReply(response)));
    expect(new Set(told.map(({ reply }) => reply)).size).toBe(1);
    expect(new Set(told.map(({ text }) => text)).size).toBe(1);
    expect(provider.chats).toHaveLength(1);
    await startWriting("Busy");
    expect((await send(other, "And you?", "next")).status).toBe(409);
    provider.finish();
    await until("complete", one);
  });

  it("R3 a reply whose writer has died is interrupted, and continues in the other process", async () => {
    await startWriting("First words");
    // Simulates a kill: no process renews this lease.
    const { database } = one.context;
    const { id: reply } = await last(one);
    await database.updateTable("messages").set({ owner: "gone" }).where("id", "=", reply).execute();
    expect(await until("interrupted", other)).toMatchObject({ id: reply, content: "First words", resumes: true });
    // The first process notices that it has lost the reply.
    await (await provider.chat(1)).closed;
    provider.reply = " and the rest.";
    provider.next("fast");
    const joined = await other.call("GET", `/chat/${id}/reply?reply=${reply}&from=11`, { token });
    expect((await readReply(joined)).text).toBe(" and the rest.");
    expect(await last(one)).toMatchObject({ content: "First words and the rest.", state: "complete", seams: [11] });
  });

  it("R21 a writer that was declared dead overwrites nothing, and closes its provider connection", async () => {
    const events = await startWriting("First words");
    const { id: reply } = await last(one);
    const taken = { state: "interrupted", content: "First", ended_at: Date.now(), owner: null } as const;
    await one.context.database.updateTable("messages").set(taken).where("id", "=", reply).execute();
    provider.release(", and words of a ghost");
    await (await provider.chat(1)).closed;
    expect((await provider.chat(1)).isAborted).toBe(true);
    const drain = async () => {
      for await (const event of events) expect(event).not.toBe("[DONE]");
    };
    await expect(drain()).rejects.toThrow("terminated");
    expect(await last(other)).toMatchObject({ content: "First", state: "interrupted" });
  });

  /** Inserts a reply of this process without a producer, as after a commit whose confirmation was lost. */
  async function addStray(): Promise<string> {
    const chatId = await processes.createChat();
    const body = { role: "user", content: "Is anybody there?" };
    const question = (await (await one.call("POST", `/chat/${chatId}/message`, { token, body })).json()) as Message;
    const { database, ownership } = one.context;
    const reply = {
      id: `stray-${chatId}`,
      parent: question.id,
      role: "assistant",
      content: "",
      state: "writing",
    } as const;
    const row = await database
      .selectFrom("messages")
      .selectAll()
      .where("id", "=", question.id)
      .executeTakeFirstOrThrow();
    await database
      .insertInto("messages")
      .values({ ...row, ...reply, owner: ownership.processId, run: 1 })
      .execute();
    await database.updateTable("chats").set({ leaf: reply.id }).where("id", "=", chatId).execute();
    return chatId;
  }

  it("R9 a reply whose commit was never confirmed is interrupted, and continues when it is read", async () => {
    const chatId = await addStray();
    await untilLast(({ state }) => state !== "writing", chatId);
    const stray = await last(other, chatId);
    expect(stray).toMatchObject({ state: "interrupted", resumes: true });
    provider.reply = "Here I am.";
    const joined = await other.call("GET", `/chat/${chatId}/reply?reply=${stray.id}`, { token });
    expect((await readReply(joined)).text).toBe("Here I am.");
  });

  it("R9 a locked row does not delay the recovery of other replies", async () => {
    const held = await addStray();
    const free = await addStray();
    const { database } = other.context;
    await database.transaction().execute(async (db) => {
      await db.selectFrom("messages").select("id").where("chat_id", "=", held).forUpdate().execute();
      await vi.waitUntil(async () => {
        // An idle transaction would be ended.
        await db.selectFrom("chats").select("id").where("id", "=", held).execute();
        return (await last(other, free)).state !== "writing";
      });
      expect((await last(other, held)).state).toBe("writing");
    });
    await untilLast(({ state }) => state !== "writing", held);
  });
});
