import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeBrowser, FakePage, heldBody } from "../../testing/fakes/fake-tabs.ts";
import { SharedEvents } from "./shared-events.ts";
import type { TabTools } from "./tab-tools.ts";

const tabs: SharedEvents[] = [];

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.dispose();
  vi.useRealTimers();
});

/** A server whose connections the test writes to. */
function setUp() {
  const browser = new FakeBrowser();
  const connections: (ReturnType<typeof heldBody> & { path: string; isOpen: boolean })[] = [];
  const open = async (path: string, init?: { signal?: AbortSignal }) => {
    const connection = { ...heldBody(), path, isOpen: true };
    connections.push(connection);
    init?.signal?.addEventListener("abort", () => {
      connection.isOpen = false;
      connection.fail();
    });
    return connection.response();
  };
  const openTab = (tools: TabTools | null = browser.tools(), account = "ada") => {
    const page = new FakePage();
    const changes: string[] = [];
    let lives = 0;
    const tab = new SharedEvents({
      api: { open },
      account,
      tabs: tools,
      page,
      onChange: (event) => {
        if ("chat" in event) changes.push(event.chat.title);
        if ("deleted" in event) changes.push(`-${event.deleted}`);
      },
      onGap: () => changes.push("gap"),
      onLive: () => (lives += 1),
    });
    tabs.push(tab);
    return { tab, page, changes, lives: () => lives };
  };
  return { browser, connections, openTab, live: () => connections.filter(({ isOpen }) => isOpen) };
}

const chat = (at: number, title: string) => ({ at, chat: { id: "a", title, updatedAt: 1, leaf: null, replyId: null } });
const soon = () => vi.advanceTimersByTimeAsync(10);

describe("tabs of one browser", () => {
  test("all tabs receive everything over one connection", async () => {
    const { connections, openTab } = setUp();
    const [one, two] = [openTab(), openTab()];
    await soon();
    connections[0]?.say({ at: 1, isReset: true });
    connections[0]?.say(chat(2, "Two"));
    connections[0]?.say({ at: 3, deleted: "x" });
    await soon();
    expect(connections).toHaveLength(1);
    expect(one.changes).toEqual(["gap", "Two", "-x"]);
    expect(two.changes).toEqual(["gap", "Two", "-x"]);
    expect([one.tab.isLive, two.tab.isLive]).toEqual([true, true]);
  });

  test("all tabs are notified each time the server is reachable again", async () => {
    const { connections, openTab } = setUp();
    const [one, two] = [openTab(), openTab()];
    await soon();
    connections[0]?.say({ at: 1, isReset: true });
    connections[0]?.say(chat(2, "Two"));
    await soon();
    expect([one.lives(), two.lives()]).toEqual([1, 1]);
    connections[0]?.fail();
    await vi.advanceTimersByTimeAsync(2000);
    connections[1]?.say({ at: 2, isReset: false });
    await soon();
    expect([one.lives(), two.lives()]).toEqual([2, 2]);
  });

  test("a tab that opens later misses nothing", async () => {
    const { connections, openTab } = setUp();
    openTab();
    await soon();
    connections[0]?.say({ at: 1, isReset: true });
    await soon();
    const later = openTab();
    await soon();
    connections[0]?.say(chat(2, "Two"));
    await soon();
    expect(later.changes).toEqual(["Two"]);
  });

  test("the next tab continues at the leader's position when the leader closes", async () => {
    const { connections, openTab, live } = setUp();
    const [one, two, three] = [openTab(), openTab(), openTab()];
    await soon();
    connections[0]?.say({ at: 1, isReset: true });
    connections[0]?.say(chat(7, "Seven"));
    await soon();
    one.tab.dispose();
    await soon();
    expect(live().map(({ path }) => path)).toEqual(["/events?from=7"]);
    connections[1]?.say({ at: 7, isReset: false });
    connections[1]?.say(chat(8, "Eight"));
    await soon();
    for (const { changes } of [two, three]) expect(changes).toEqual(["gap", "Seven", "Eight"]);
  });

  test("a tab reads everything again after missing a change while suspended", async () => {
    const { browser, connections, openTab } = setUp();
    openTab();
    const tools = browser.tools();
    let isAsleep = false;
    const sleeper = openTab({
      ...tools,
      openChannel: (name) => {
        const channel = tools.openChannel(name);
        return { ...channel, listen: (listener) => channel.listen((message) => !isAsleep && listener(message)) };
      },
    });
    await soon();
    connections[0]?.say({ at: 1, isReset: true });
    await soon();
    isAsleep = true;
    connections[0]?.say(chat(2, "Two"));
    await soon();
    isAsleep = false;
    sleeper.page.show(true);
    await soon();
    expect(sleeper.changes).toEqual(["gap", "gap"]);
    isAsleep = true;
    connections[0]?.say(chat(3, "Three"));
    await soon();
    isAsleep = false;
    connections[0]?.say(chat(4, "Four"));
    await soon();
    expect(sleeper.changes).toEqual(["gap", "gap", "gap", "Four"]);
  });

  test("a visible tab replaces a suspended leader", async () => {
    const { browser, connections, openTab, live } = setUp();
    const tools = browser.tools();
    let isAsleep = false;
    const one = openTab({
      ...tools,
      openChannel: (name) => {
        const channel = tools.openChannel(name);
        return { ...channel, post: (message) => !isAsleep && channel.post(message) };
      },
    });
    const two = openTab();
    await soon();
    connections[0]?.say({ at: 4, isReset: true });
    await soon();
    isAsleep = true;
    await vi.advanceTimersByTimeAsync(30_000);
    connections[0]?.live();
    await vi.advanceTimersByTimeAsync(9000);
    expect(connections).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(live().map(({ path }) => path)).toEqual(["/events?from=4"]);
    isAsleep = false;
    connections.at(-1)?.say(chat(5, "Five"));
    await soon();
    expect([one.changes, two.changes]).toEqual([
      ["gap", "Five"],
      ["gap", "Five"],
    ]);
  });

  test("tabs of two accounts receive nothing from each other", async () => {
    const { browser, connections, openTab } = setUp();
    const [ada, bob] = [openTab(), openTab(browser.tools(), "bob")];
    await soon();
    expect(connections).toHaveLength(2);
    connections[0]?.say({ at: 1, isReset: true });
    await soon();
    expect([ada.changes, bob.changes]).toEqual([["gap"], []]);
  });
});

test("a reloaded page receives the events since its last position, and does not read everything again", async () => {
  const { connections, openTab, browser } = setUp();
  openTab();
  await soon();
  connections[0]?.say({ at: 6, isReset: true });
  await soon();
  const stored = localStorage.getItem("events:ada");
  expect(stored).toBe("6");
  const { connections: again, openTab: reopen } = setUp();
  const page = reopen();
  await soon();
  expect(again[0]?.path).toBe("/events?from=6");
  again[0]?.say({ at: 6, isReset: false });
  again[0]?.say(chat(7, "Seven"));
  await soon();
  expect(page.changes).toEqual(["Seven"]);
  expect(browser.locks.isHeld("parley-events:ada")).toBe(true);
});

test("a tab drops a position that the server no longer has", async () => {
  const { connections, openTab } = setUp();
  const { changes } = openTab();
  await soon();
  connections[0]?.say({ at: 50, isReset: true });
  connections[0]?.fail();
  await vi.advanceTimersByTimeAsync(1500);
  connections[1]?.say({ at: 2, isReset: true });
  connections[1]?.say(chat(3, "Three"));
  await soon();
  expect(changes).toEqual(["gap", "gap", "Three"]);
});

describe("tabs without locks", () => {
  test("tabs without locks each have a connection while visible, and receive missed changes", async () => {
    const { openTab, connections, live } = setUp();
    const { page, changes } = openTab(null);
    await soon();
    connections[0]?.say({ at: 1, isReset: true });
    await soon();
    page.show(false);
    await soon();
    expect(live()).toEqual([]);
    page.show(true);
    await soon();
    expect(live().map(({ path }) => path)).toEqual(["/events?from=1"]);
    connections[1]?.say({ at: 1, isReset: false });
    connections[1]?.say(chat(2, "Two"));
    await soon();
    expect(changes).toEqual(["gap", "Two"]);
  });

  test("tabs read by themselves when the browser refuses locks", async () => {
    const { browser, openTab, live } = setUp();
    const refusing = { request: () => Promise.reject(new DOMException("No", "SecurityError")) };
    openTab({ ...browser.tools(), locks: refusing });
    openTab({ ...browser.tools(), locks: refusing });
    await soon();
    expect(live()).toHaveLength(2);
  });
});

test("disposing the shared events ends the connection", async () => {
  const { openTab, live } = setUp();
  const { tab } = openTab();
  await soon();
  tab.dispose();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(live()).toEqual([]);
  expect(localStorage.getItem("events:ada")).toBeNull();
});
