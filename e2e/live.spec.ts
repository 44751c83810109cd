import type { BrowserContext, Page } from "@playwright/test";
import { REPLIES_AT_ONCE, SECOND } from "#contract/limits.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";
import { holdTimers } from "./held-timers.ts";

/** A notification of a deletion closes after this time. */
const CLOSES_AFTER_MS = 10 * SECOND;

/** Opens another tab of the same browser, on one of the account's chats or on the welcome screen. */
async function openTab(chat: ChatScreen, context: BrowserContext, app: TestApp, id?: string): Promise<ChatScreen> {
  const tab = new ChatScreen(await context.newPage(), app, chat.account);
  await holdTimers(tab.page, CLOSES_AFTER_MS);
  await tab.open(id);
  return tab;
}

const chatOf = (page: Page) => new URL(page.url()).searchParams.get("c") ?? "";

/** Returns one of the given tabs whose answer has begun. */
async function anyAnswered(tabs: ReadonlySet<ChatScreen>): Promise<ChatScreen> {
  let found: ChatScreen | undefined;
  await expect
    .poll(async () => {
      for (const tab of tabs) if (await tab.answer("Words").isVisible()) found = tab;
      return found !== undefined;
    })
    .toBe(true);
  if (found === undefined) throw new Error("No tab is answered");
  return found;
}

test("another tab shows a new chat, its title and its deletion", async ({ chat, context, parley, page }) => {
  await chat.open();
  const other = await openTab(chat, context, parley.app);
  await other.sidebar();
  await chat.ask("What is a fjord?");
  await expect(other.entry("A fitting title")).toBeVisible();
  await chat.sidebar();
  await expect(chat.entry("A fitting title")).toBeVisible();
  await page.getByRole("button", { name: "Delete A fitting title" }).click();
  await expect(other.entry("A fitting title")).toBeHidden();
  await expect(other.page.getByRole("region", { name: "Notifications" })).not.toContainText("was deleted");
});

test("another tab shows a question and its answer in the chat that both have open @proof", async ({
  chat,
  context,
  parley,
}) => {
  const shared = await chat.prepare("The beginning", "The first answer");
  await chat.open(shared);
  const other = await openTab(chat, context, parley.app, shared);
  await chat.ask("From the first tab.");
  await expect(other.question("From the first tab.")).toBeVisible();
  await expect(other.answer("This is a scripted reply")).toBeVisible();
  await expect(other.messages).toHaveCount(4);
  await other.send("From the second tab.");
  await expect(chat.question("From the second tab.")).toBeVisible();
  await expect(chat.messages).toHaveCount(6);
});

test("another tab shows a reply while it is written, and that it was stopped", async ({
  chat,
  context,
  parley,
  provider,
}) => {
  const shared = await chat.prepare("The beginning", "The first answer");
  await chat.open(shared);
  const other = await openTab(chat, context, parley.app, shared);
  await chat.send("[scenario:held] For both.");
  provider.release("Words");
  await expect(other.answer("Words")).toBeVisible();
  provider.release(" for both.");
  await expect(other.answer("Words for both.")).toBeVisible();
  await expect(other.stopButton).toBeVisible();
  await other.stopButton.click();
  for (const tab of [chat, other]) {
    await expect(tab.answer("Words for both.")).toContainText("You stopped this answer.");
    await expect(tab.sendButton).toBeVisible();
    await expect(tab.banner).toBeHidden();
  }
  await (await provider.chat(1)).closed;
});

test("another tab reports that its chat was deleted, and moves the draft to a new one @proof", async ({
  chat,
  context,
  parley,
  page,
}) => {
  const shared = await chat.prepare("To be deleted", "Indeed");
  await chat.prepare("To be kept", "Yes");
  await chat.open();
  const other = await openTab(chat, context, parley.app, shared);
  await expect(other.answer("Indeed")).toBeVisible();
  await other.box.fill("Half a thought");
  await chat.sidebar();
  await page.getByRole("button", { name: "Delete To be deleted" }).click();
  await expect(other.welcome).toBeVisible();
  await expect(other.box).toHaveValue("Half a thought");
  await expect(other.page.getByRole("region", { name: "Notifications" })).toContainText("“To be deleted” was deleted");
  await expect(other.page).toHaveURL("/chat");
  await expect(chat.box).toHaveValue("Half a thought");
  await other.box.fill("");
});

test("the sidebar shows which chats are being answered and which are unread, until they are opened @every-screen @proof", async ({
  chat,
  context,
  parley,
  provider,
  page,
}) => {
  test.slow();
  const quiet = await chat.prepare("A quiet chat", "With an answer");
  await chat.open();
  const other = await openTab(chat, context, parley.app, quiet);
  await other.sidebar();
  await chat.send("[scenario:held] The streaming chat");
  provider.release("Words");
  await expect(chat.answer("Words")).toBeVisible();
  await expect(other.entry(/The streaming chat/)).toContainText("Answer in progress");
  await chat.choose("A quiet chat");
  await expect(chat.answer("With an answer")).toBeVisible();
  provider.finish();
  for (const tab of [chat, other]) {
    await tab.sidebar();
    const entry = tab.entry(/The streaming chat|A fitting title/);
    await expect(entry).toContainText("Unread answer");
    await expect(entry).not.toContainText("Answer in progress");
  }
  await page.reload();
  await chat.sidebar();
  await expect(chat.entry(/The streaming chat|A fitting title/)).toContainText("Unread answer");
  await other.choose(/The streaming chat|A fitting title/);
  await expect(other.answer("Words")).toBeVisible();
  await chat.sidebar();
  await expect(chat.entry(/The streaming chat|A fitting title/)).not.toContainText("Unread answer");
});

test("the sidebar does not mark an answer as unread while it is on the screen @proof", async ({ chat, page }) => {
  await chat.open();
  const read = page.waitForRequest(
    (request) => request.method() === "PATCH" && "isUnread" in Object(request.postDataJSON()),
  );
  await chat.ask("What is a fjord?");
  expect((await read).postDataJSON()).toEqual({ isUnread: false });
  await expect.poll(async () => (await chat.history())[0]).not.toHaveProperty("isUnread");
  await chat.sidebar();
  await expect(chat.entry(/fjord|A fitting title/)).not.toContainText("Unread answer");
});

test.describe("a chat that one of two devices deletes", () => {
  // The other device may still request the deleted chat.
  test.use({ expectedErrors: [failedRequest(404)] });

  test("two devices show the same reply, its Stop and the deletion of its chat", async ({
    chat,
    browser,
    parley,
    provider,
    contextOptions,
  }) => {
    const shared = await chat.prepare("The beginning", "The first answer");
    await holdTimers(chat.page, CLOSES_AFTER_MS);
    await chat.open(shared);
    await using device = await browser.newContext({ ...contextOptions, baseURL: parley.app.url });
    await device.addInitScript(
      ([token, user]) => {
        localStorage.setItem("access_token", token);
        localStorage.setItem("user", user);
      },
      [chat.account.token, JSON.stringify(chat.account.user)] as const,
    );
    const other = await openTab(chat, device, parley.app, shared);
    await chat.box.fill("Half a thought");
    await other.send("[scenario:held] From the other device.");
    provider.release("Words");
    await expect(chat.answer("Words")).toBeVisible();
    await expect(chat.box).toHaveValue("Half a thought");
    await chat.stopButton.click();
    await expect(other.answer("Words")).toContainText("You stopped this answer.");
    await other.call("DELETE", `/chat/${shared}`);
    for (const { page, welcome } of [chat, other]) {
      await expect(page.getByRole("region", { name: "Notifications" })).toContainText("was deleted");
      await expect(welcome).toBeVisible();
    }
    await expect(chat.box).toHaveValue("Half a thought");
    await expect(other.box).toHaveValue("");
    await chat.box.fill("");
  });
});

test("the tabs share one event stream, also after the tab that read it was closed", async ({
  chat,
  context,
  parley,
  page,
}) => {
  const streams: string[] = [];
  context.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/events") streams.push(search);
  });
  await chat.open();
  await expect.poll(() => streams).toEqual([""]);
  const second = await openTab(chat, context, parley.app);
  const third = await openTab(chat, context, parley.app);
  await chat.prepare("Before", "Yes");
  for (const tab of [chat, second, third]) {
    await tab.sidebar();
    await expect(tab.entry("Before")).toBeVisible();
  }
  expect(streams).toEqual([""]);
  await page.close();
  await expect.poll(() => streams).toHaveLength(2);
  expect(streams[1]).toMatch(/^\?from=\d+$/);
  await third.prepare("After", "Yes");
  for (const tab of [second, third]) await expect(tab.entry("After")).toBeVisible();
});

test.describe("R15 eight tabs with a question each", () => {
  // The fourth concurrent reply is refused with 429 and retried.
  test.use({ expectedErrors: [failedRequest(429)] });

  test("eight tabs with a question each get the maximum number of replies, and Stop starts the next one", async ({
    chat,
    context,
    parley,
    provider,
  }) => {
    test.slow();
    const tabs: ChatScreen[] = [chat];
    await chat.open();
    for (let count = 2; count <= 8; count += 1) tabs.push(await openTab(chat, context, parley.app));
    for (const [place, tab] of tabs.entries()) {
      await tab.page.bringToFront();
      await tab.send(`[scenario:held] Question ${place + 1}`);
      await expect(tab.stopButton).toBeVisible();
      if (place >= REPLIES_AT_ONCE) await expect(tab.question("Question")).toContainText("Waiting for another reply");
      else await provider.chat(place + 1);
    }
    const open = new Set(tabs);
    while (open.size > 0) {
      // The order in which the waiting messages start is undefined.
      const running = Math.min(REPLIES_AT_ONCE, open.size);
      await provider.chat(tabs.length - open.size + running);
      // The provider distributes releases to its held replies in turn.
      for (let count = 0; count < running; count += 1) provider.release("Words ");
      const tab = await anyAnswered(open);
      open.delete(tab);
      await tab.page.bringToFront();
      await tab.box.fill("Typed meanwhile");
      await tab.stopButton.click();
      await expect(tab.answer("Words")).toContainText("You stopped this answer.");
      await expect(tab.sendButton).toBeVisible();
      await expect(tab.banner).toBeHidden();
      await tab.box.fill("");
    }
    expect(new Set(tabs.map(({ page }) => chatOf(page))).size).toBe(8);
  });
});
