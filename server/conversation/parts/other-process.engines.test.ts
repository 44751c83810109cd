import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestApp } from "../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { ReplyView } from "../../../testing/chats/reply-view.ts";
import { startTwoProcesses, type TwoProcesses } from "../../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readEvents, type StreamEvent } from "../../../testing/http/read-events.ts";
import type { ScriptedProvider } from "../../../testing/provider/scripted-provider.ts";

describe.runIf(isOnPostgres)("replies with reasoning in two processes", () => {
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

  const steps = ["think:Hm", "think: 😀, a fjord", "text:A long ", "text:inlet", "think:Also", "text:, in Norway."];

  function play(step: string): void {
    const [kind, text = ""] = step.split(/:(.*)/s);
    if (kind === "think") provider.think(text);
    else provider.release(text);
  }

  /** Plays steps in process `one`, each when its reader has received the one before. @returns the events */
  async function write(count: number): Promise<StreamEvent[]> {
    const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
    const events: StreamEvent[] = [];
    const left = steps.slice(0, count);
    for await (const event of readEvents(await one.call("POST", `/chat/${id}/send?stream=1`, { token, body }))) {
      if (event === "[DONE]") break;
      events.push(event);
      if (event.part || event.writer) continue;
      const next = left.shift();
      if (next === undefined) break;
      play(next);
    }
    return events;
  }

  const join = (app: TestApp, view: ReplyView) => app.call("GET", `/chat/${id}${view.resume}`, { token });

  const last = (app: TestApp) => processes.last(app);
  /** Waits until the other process shows the running reply with this reasoning. */
  const untilShown = (thought: string) =>
    vi.waitUntil(async () => {
      const { parts, state } = await last(other);
      expect(state).toBe("writing");
      return parts?.[0]?.text === thought;
    });

  it.each(steps.map((_, at) => at + 1))(
    "a reader resumes a reply with reasoning in the other process at any event, after %i steps",
    async (count) => {
      const events = await write(count);
      const views = events.map((_, at) => ReplyView.after(events.slice(0, at + 1)));
      const streams = await Promise.all(views.map(async (view) => readEvents(await join(other, view))));
      for (const [at, stream] of streams.entries()) {
        const first = await stream.next();
        if (!first.done && first.value !== "[DONE]") views[at]?.take(first.value);
      }
      for (const step of steps.slice(count)) play(step);
      provider.finish();
      const ends = views.map(async (view, at) => {
        for await (const event of streams[at] ?? []) if (event !== "[DONE]") view.take(event);
      });
      await Promise.all(ends);
      const { content: text, parts, rev } = await last(other);
      expect(parts).toMatchObject([{ text: "Hm 😀, a fjord" }, { text: "Also" }]);
      for (const view of views) expect(view).toMatchObject({ text, parts, rev });
      await expectExactCounters(one.context.database);
    },
  );

  it("the other process shows a reply with reasoning while it is written", async () => {
    await write(2);
    await untilShown("Hm 😀, a fjord");
    const { parts, rev, state } = await last(other);
    expect([state, rev]).toEqual(["writing", 1]);
    expect(parts).toEqual([{ seq: 0, at: 0, kind: "reasoning", text: "Hm 😀, a fjord" }]);
    provider.release("A long inlet");
    provider.finish();
  });

  it("the reply of a writer that was declared dead keeps its reasoning, without a duration, and continues", async () => {
    const events = await write(2);
    const view = ReplyView.after(events);
    await untilShown("Hm 😀, a fjord");
    const { database } = other.context;
    const { ownership } = one.context;
    provider.next("fast");
    provider.reply = "An inlet.";
    // Simulates a kill: the reply belongs to a process without a lease.
    await database.updateTable("messages").set({ owner: "dead" }).where("id", "=", view.reply).execute();
    expect(ownership.processId).not.toBe("dead");
    await vi.waitUntil(async () => (await last(other)).state !== "writing");
    const interrupted = await last(other);
    expect(interrupted).toMatchObject({ state: "interrupted", content: "", rev: 1 });
    expect(interrupted.parts).toEqual([{ seq: 0, at: 0, kind: "reasoning", text: "Hm 😀, a fjord" }]);
    for await (const event of readEvents(await join(other, view))) if (event !== "[DONE]") view.take(event);
    const whole = await last(other);
    expect(view).toMatchObject({ text: "An inlet.", run: 2, rev: 1, parts: whole.parts });
    // Words of the former writer, which are dropped.
    provider.think("ghost");
    provider.release("ghost");
    provider.finish();
    expect((await last(one)).parts).toEqual(interrupted.parts);
    await expectExactCounters(database);
    const chunks = database.selectFrom("reasoning_chunks").selectAll().where("message_id", "=", view.reply);
    expect(await chunks.execute()).toEqual([]);
  });
});
