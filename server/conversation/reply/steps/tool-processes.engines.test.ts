import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { expectExactCounters } from "../../../../testing/chats/exact-counters.ts";
import { isOnPostgres } from "../../../../testing/database/test-database.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import type { SourceProcess } from "../../../../testing/servers/source-process.ts";
import { scriptCalls, shopCall } from "../../../../testing/tools/script-calls.ts";
import { type ShopChat, ShopChats } from "../../../../testing/tools/shop-chats.ts";

describe.runIf(isOnPostgres)("calls of tools with two processes on one database", () => {
  let chats: ShopChats;
  let one: SourceProcess;
  let other: SourceProcess;
  let chat: ShopChat;
  const opened = new AsyncDisposableStack();
  let items = 0;
  let item: string;
  beforeAll(async () => {
    chats = opened.use(await ShopChats.open(8));
    one = await chats.startProcess(opened);
    other = await chats.startProcess(opened, { isBeside: true });
  });
  afterAll(() => opened.disposeAsync());
  beforeEach(() => {
    chats.provider.reset();
    chats.shop.reset();
    chat = chats.next();
    item = `tea ${++items}`;
  });

  async function propose(): Promise<void> {
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
    await readReply(await chat.send(one, "Buy tea."));
  }

  /** Expects nothing to be left of the last reply, which has ended. */
  async function expectEnded(): Promise<void> {
    const { id } = await chat.last(other);
    await chats.withDatabase(async (database) => {
      await expectExactCounters(database);
      const turns = database.selectFrom("provider_turns").select("step").where("message_id", "=", id);
      expect(await turns.execute()).toEqual([]);
    });
  }

  it("a reply that waits in one process is approved in the other, which writes it", async () => {
    await propose();
    expect(await chat.decide(other, "once")).toBe(200);
    expect((await chat.join(one)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
  });

  it("approvals in two processes at once are one", async () => {
    await propose();
    const decide = await chat.decision(one, "once");
    const statuses = (await Promise.all([decide(one), decide(other), decide(one), decide(other)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 409, 409, 409]);
    expect((await chat.join(one)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
  });

  it("an approval that is removed in one process holds for no further call of a reply that the other writes", async () => {
    const [second, third] = [`${item} again`, `${item} once more`];
    await propose();
    expect(await chat.decide(one, "always")).toBe(200);
    expect((await chat.join(one)).text).toBe("Bought.");
    scriptCalls(chats.provider, [[shopCall("buy", second)], [shopCall("buy", third)]], "Bought again.");
    chats.shop.isHeld = () => true;
    await (await chat.send(one, "Buy more.")).body?.cancel();
    await chats.shop.executed(second);
    const calling = (method: string) =>
      fetch(`${other.url}${API_BASE}${conversationPaths.toolApprovals}`, {
        method,
        headers: { authorization: `Bearer ${chat.token}` },
      });
    expect(await (await calling("GET")).json()).toMatchObject({ approvals: [{ name: "buy", chat: null }] });
    expect((await calling("DELETE")).status).toBe(204);
    chats.shop.reset();
    expect(await chat.until(other, "waiting")).toMatchObject({
      parts: [{ state: "succeeded" }, { state: "proposed" }],
    });
    expect([chats.shop.countOf(second), chats.shop.countOf(third)]).toEqual([1, 0]);
    expect(await chat.decide(other, "no")).toBe(200);
    await chat.join(other);
  });

  it("a process that is frozen during a call loses the reply, and may not store the result", async () => {
    await propose();
    chats.shop.isHeld = () => true;
    expect(await chat.decide(one, "once")).toBe(200);
    await chats.shop.executed(item);
    one.freeze();
    expect(await chat.until(other, "waiting")).toMatchObject({ parts: [{ state: "unknown" }] });
    chats.shop.reset();
    one.thaw();
    expect(await chat.decide(other, "skip")).toBe(200);
    expect((await chat.join(other)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
    expect(await chat.tools(one)).toMatchObject([
      { state: "unknown", result: expect.stringContaining("not known whether") },
    ]);
    await expectEnded();
  });

  it("a process that is frozen while its provider answers stores no call and nothing to return", async () => {
    scriptCalls(chats.provider, [[shopCall("look_up", item, "call_first")]], "There is tea.");
    chats.provider.next("held");
    await (await chat.send(one, "Is there tea?")).body?.cancel();
    await chats.provider.untilHeld(1);
    one.freeze();
    chats.provider.finish();
    await chat.until(other, "interrupted");
    expect((await chat.join(other)).text).toBe("There is tea.");
    one.thaw();
    // Resolves when the process has ended all that it writes.
    await one.end("SIGTERM");
    await one.start();
    expect(chats.shop.countOf(item)).toBe(1);
    expect(await chat.tools(one)).toMatchObject([{ state: "succeeded" }]);
    await expectEnded();
  });
});
