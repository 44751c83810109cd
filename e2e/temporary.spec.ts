import type { Page } from "@playwright/test";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { expectTouchable } from "./looks.ts";

const switchOf = (page: Page) => page.getByRole("button", { name: "Temporary chat", exact: true });
const titleOf = (page: Page) => page.getByRole("heading", { name: "Temporary chat" });
const keepOf = (page: Page) => page.getByRole("button", { name: "Save this chat" });

/** Returns everything that the browser would still store after the page is closed. */
async function storageOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = await Promise.all((await indexedDB.databases()).map(({ name }) => name));
    const cached = await Promise.all((await caches.keys()).map(async (key) => (await caches.open(key)).keys()));
    const urls = cached.flat().map(({ url }) => url);
    const { title, cookie, URL: address } = document;
    const kept = [{ ...localStorage }, { ...sessionStorage }, databases, urls, history.state, title, cookie, address];
    return JSON.stringify(kept);
  });
}

async function begin(chat: ChatScreen, page: Page): Promise<void> {
  await chat.open();
  await switchOf(page).click();
  await expect(titleOf(page)).toBeVisible();
}

test("a temporary chat works like any other, and is stored nowhere @every-screen", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.box.fill("What is a quokka?");
  await expect(switchOf(page)).toHaveAttribute("aria-pressed", "false");
  await switchOf(page).click();
  await expect(page).toHaveURL("/chat?temporary=1");
  await expect(switchOf(page)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("This chat is not saved. It disappears when you leave or reload.")).toBeVisible();
  // The draft moves to the temporary chat and is removed from the storage.
  await expect(chat.box).toHaveValue("What is a quokka?");
  expect(await storageOf(page)).not.toContain("quokka");
  provider.reply = "A quokka is a **small** wallaby.";
  await chat.submit();
  await expect(chat.answer("A quokka is a small wallaby.")).toBeVisible();
  provider.reply = "On Rottnest Island.";
  await chat.send("Where does the quokka live?");
  await expect(chat.answer("On Rottnest Island.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  expect(provider.chats.at(-1)?.messages.map(({ content }) => content)).toEqual([
    "What is a quokka?",
    "A quokka is a **small** wallaby.",
    "Where does the quokka live?",
  ]);
  // The actions on stored chats are not offered for this one.
  await expect(page.getByRole("main").getByRole("button", { name: /^More/ })).toHaveCount(0);
  await chat.box.fill("One more quokka");
  expect(await storageOf(page)).not.toContain("quokka");
  expect(await chat.history()).toEqual([]);
  // A chat of an earlier journey may still be named.
  const named = provider.titles.map(({ messages }) => JSON.stringify(messages));
  expect(named.filter((messages) => messages.includes("quokka"))).toEqual([]);
  await page.reload();
  await expect(titleOf(page)).toBeVisible();
  await expect(chat.box).toHaveValue("");
  await expect(chat.messages).toHaveCount(0);
});

test("a temporary chat that is left by mistake can be reopened, and New temporary chat starts an empty one", async ({
  chat,
  page,
  provider,
}) => {
  await chat.prepare("A kept question", "A kept answer");
  await begin(chat, page);
  provider.reply = "The first answer.";
  await chat.send("The first question");
  await expect(chat.answer("The first answer.")).toBeVisible();
  await chat.choose("A kept question");
  await expect(chat.answer("A kept answer")).toBeVisible();
  await expect(chat.question("The first question")).toBeHidden();
  await page.goBack();
  await expect(chat.answer("The first answer.")).toBeVisible();
  await page.getByRole("button", { name: "New temporary chat" }).click();
  await expect(titleOf(page)).toBeVisible();
  await expect(chat.messages).toHaveCount(0);
  await expect(chat.box).toBeFocused();
  await chat.box.fill("Rather kept");
  await switchOf(page).click();
  await expect(chat.welcome).toBeVisible();
  await expect(page).toHaveURL("/chat");
  await expect(chat.box).toHaveValue("Rather kept");
});

test("no control moves under the pointer, and leaving a temporary answer asks first or can be undone @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await begin(chat, page);
  const before = await switchOf(page).boundingBox();
  provider.reply = "The first answer.";
  await chat.send("The first question");
  const answer = chat.answer("The first answer.");
  await expect(answer).toBeVisible();
  const after = await switchOf(page).boundingBox();
  expect([after?.x, after?.width]).toEqual([before?.x, before?.width]);
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1);
  const undo = page.getByRole("button", { name: "Undo" });

  await switchOf(page).click();
  await expect(chat.welcome).toBeVisible();
  await undo.click();
  await expect(answer).toBeVisible();
  await expect(undo).toBeHidden();

  await page.getByRole("button", { name: "New temporary chat" }).click();
  await expect(titleOf(page)).toBeVisible();
  await undo.click();
  await expect(answer).toBeVisible();

  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("alertdialog", { name: "Log out and lose the temporary chat?" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(answer).toBeVisible();

  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await closing;
  await expect(answer).toBeVisible();
});

test("the last answer of a temporary chat is regenerated in place, and questions cannot be edited @proof", async ({
  chat,
  page,
  provider,
}) => {
  await begin(chat, page);
  provider.reply = "The first answer.";
  await chat.send("A question");
  await expect(chat.answer("The first answer.")).toBeVisible();
  provider.reply = "The other answer.";
  await page.getByRole("button", { name: "Regenerate", exact: true }).click();
  await expect(chat.answer("The other answer.")).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
  expect(provider.chats.at(-1)?.messages).toEqual([{ role: "user", content: "A question" }]);
  await chat.send("Another question");
  await expect(chat.messages).toHaveCount(4);
  await expect(chat.sendButton).toBeVisible();
  // Regenerating an earlier answer would discard the messages after it.
  await expect(page.getByRole("button", { name: "Regenerate", exact: true })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
});

test("a temporary chat that is stored afterwards is in the list with all its messages", async ({
  chat,
  page,
  provider,
}) => {
  await begin(chat, page);
  provider.reply = "It depends on the moon.";
  await chat.send("How do tides work?");
  await expect(chat.answer("It depends on the moon.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  await keepOf(page).click();
  await expect(page).toHaveURL(/\/chat\?c=/);
  await expect(chat.question("How do tides work?")).toBeVisible();
  await expect(chat.answer("It depends on the moon.")).toBeVisible();
  await expect(keepOf(page)).toBeHidden();
  const [item, ...others] = await chat.history();
  expect(others).toEqual([]);
  const { messages } = await chat.read(item?.id ?? "");
  expect(messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    "user: How do tides work?",
    "assistant: It depends on the moon.",
  ]);
  await chat.sidebar();
  await expect(chat.entry("How do tides work?")).toHaveAttribute("aria-current", "page");
  await chat.leaveSidebar();
  await chat.send("[scenario:fast] And without a moon?");
  await expect(chat.messages).toHaveCount(4);
  await page.goto("/chat?temporary=1");
  await expect(titleOf(page)).toBeVisible();
});

test("Stop aborts the reply of a temporary chat, and the text so far stays @proof", async ({
  chat,
  page,
  provider,
}) => {
  await begin(chat, page);
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon a time");
  await expect(chat.answer("Once upon a time")).toBeVisible();
  await expect(keepOf(page)).toBeDisabled();
  await chat.stopButton.click();
  await expect(chat.answer("You stopped this answer.")).toContainText("Once upon a time");
  const call = await provider.chat(1);
  await call.closed;
  expect(call.isAborted).toBe(true);
  // A reply that is not stored cannot be continued.
  await expect(page.getByRole("button", { name: "Continue" })).toBeHidden();
});

test("a temporary chat keeps the text of a lost connection, and Retry requests the answer again @proof", async ({
  chat,
  page,
  provider,
}) => {
  await begin(chat, page);
  const body = 'data: {"reply":"r1","at":0,"run":1}\n\ndata: {"token":"Once upon","at":9}\n\n';
  await page.route("**/api/temporary/reply", (route) => route.fulfill({ contentType: "text/event-stream", body }), {
    times: 1,
  });
  await chat.send("A long story.");
  await expect(chat.banner).toContainText("The connection was lost.");
  await expect(chat.answer("This answer was cut off.")).toContainText("Once upon");
  provider.reply = "Once upon a time there was a fox.";
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(chat.answer("Once upon a time there was a fox.")).toBeVisible();
  await expect(chat.banner).toBeHidden();
  await expect(chat.messages).toHaveCount(2);
});

test.describe("a temporary chat that cannot be stored", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("a temporary chat that cannot be stored stays open, and the next attempt leaves no incomplete chat @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await begin(chat, page);
    provider.reply = "An answer.";
    await chat.send("A question");
    await expect(chat.answer("An answer.")).toBeVisible();
    await expect(chat.sendButton).toBeVisible();
    await page.route("**/api/chat/*/message", (route) => route.abort(), { times: 1 });
    await keepOf(page).click();
    await expect(chat.banner).toBeVisible();
    await expect(chat.answer("An answer.")).toBeVisible();
    await keepOf(page).click();
    await expect(page).toHaveURL(/\/chat\?c=/);
    expect(await chat.history()).toHaveLength(1);
  });
});

test.describe("a temporary chat without a network", () => {
  test.use({ expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] });

  test("a temporary chat opens without a network, and its question waits for one @proof", async ({
    chat,
    page,
    context,
  }) => {
    const part = page.waitForResponse(/\/temporary-pane-/);
    await chat.open();
    await (await part).finished();
    await context.setOffline(true);
    await switchOf(page).click();
    await expect(titleOf(page)).toBeVisible();
    await chat.send("Is anybody there?");
    await expect(chat.question("Is anybody there?")).toContainText("Waiting for the connection…");
    await context.setOffline(false);
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
  });
});

test.describe("a temporary chat on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("all controls of a temporary chat are large enough for touch", async ({ chat, page, provider }) => {
    await begin(chat, page);
    await expectTouchable(page.getByRole("main"));
    provider.reply = "An answer.";
    await chat.send("A question");
    await expect(chat.answer("An answer.")).toBeVisible();
    await expect(chat.sendButton).toBeVisible();
    await expectTouchable(page.getByRole("main"));
    // The notice has two lines, so that the strip is no taller than its buttons.
    const notice = await page.getByText("Not saved: disappears when you leave or reload.").boundingBox();
    expect(notice?.height).toBeLessThan(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
