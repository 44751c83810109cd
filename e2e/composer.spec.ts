import type { Page } from "@playwright/test";
import { expect, ONE_CHAT, SEND, test } from "./chat-screen.ts";

const LONG = Array.from({ length: 40 }, (_, line) => `Line ${line + 1}`).join("\n");

const heightOf = (page: Page) =>
  page.getByPlaceholder("Message ChatGPT...").evaluate((box) => box.getBoundingClientRect().height);

test("Enter and the button send, Shift+Enter begins a line, and a box that was sent is empty and small", async ({
  chat,
  page,
}) => {
  await chat.open();
  await expect(chat.sendButton).toBeDisabled();
  const small = await heightOf(page);
  await chat.box.click();
  await page.keyboard.type("First line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("second line");
  await expect(chat.box).toHaveValue("First line\nsecond line");
  await expect(chat.messages).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(chat.question("First line")).toContainText("First line\nsecond line", { useInnerText: true });
  await expect(chat.box).toHaveValue("");
  await expect.poll(() => heightOf(page)).toBe(small);
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.sendButton).toBeDisabled();
  await chat.box.fill("By the button");
  await expect(chat.sendButton).toBeEnabled();
  await chat.sendButton.click();
  await expect(chat.question("By the button")).toBeVisible();
  await expect(chat.answer("This is a scripted reply")).toHaveCount(2);
});

test("white space alone is not sent @proof", async ({ chat, page }) => {
  const calls: string[] = [];
  page.on("request", (request) => request.method() === "POST" && calls.push(request.url()));
  await chat.open();
  for (const blank of [" ", "\n\n", "\t \u00a0\u3000"]) {
    await chat.box.fill(blank);
    await expect(chat.sendButton).toBeDisabled();
    await chat.box.press("Enter");
    await expect(chat.box).toHaveValue(blank);
  }
  await expect(chat.messages).toHaveCount(0);
  expect(calls).toEqual([]);
});

test("Enter that ends an IME composition does not send", async ({ chat, page }) => {
  await chat.open();
  await chat.box.click();
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
  await expect(chat.box).toHaveValue("にほ");
  await chat.box.dispatchEvent("keydown", {
    key: "Enter",
    code: "Enter",
    keyCode: 229,
    isComposing: true,
    bubbles: true,
  });
  await chat.box.dispatchEvent("keydown", { key: "Enter", code: "Enter", isComposing: true, bubbles: true });
  await expect(chat.messages).toHaveCount(0);
  await client.send("Input.insertText", { text: "日本" });
  await expect(chat.box).toHaveValue("日本");
  await page.keyboard.press("Enter");
  await expect(chat.question("日本")).toBeVisible();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
});

test("the box grows with its text up to 200 px and then scrolls @every-screen", async ({ chat, page }) => {
  await chat.open();
  const small = await heightOf(page);
  await chat.box.fill("One\nTwo\nThree");
  const grown = await heightOf(page);
  expect(grown).toBeGreaterThan(small);
  await chat.box.fill(LONG);
  expect(await heightOf(page)).toBe(200);
  expect(await chat.box.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
  await expect(chat.sendButton).toBeInViewport();
  await chat.box.fill("One\nTwo\nThree");
  expect(await heightOf(page)).toBe(grown);
  await chat.box.fill(LONG);
  await chat.submit();
  await expect(chat.question("Line 40")).toBeVisible();
  await expect.poll(() => heightOf(page)).toBe(small);
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
});

test("a draft is stored per chat, survives a reload, and is removed once it is sent", async ({ chat, page }) => {
  const one = await chat.prepare("The one chat", "An answer");
  await chat.prepare("The other chat", "An answer");
  await chat.open(one);
  await expect(chat.question("The one chat")).toBeVisible();
  await chat.box.fill("For the one");
  await chat.choose("The other chat");
  await expect(chat.question("The other chat")).toBeVisible();
  await expect(chat.box).toHaveValue("");
  await chat.box.fill("For the other");
  await page.reload();
  await expect(chat.box).toHaveValue("For the other");
  await chat.choose("The one chat");
  await expect(chat.box).toHaveValue("For the one");
  await chat.ask("For the one");
  await page.reload();
  await expect(chat.question("For the one")).toBeVisible();
  await expect(chat.box).toHaveValue("");
  await page.goto("/chat");
  await expect(chat.box).toHaveValue("");
});

test("text typed while a chat loads belongs to that chat and cannot be sent before it is loaded @proof", async ({
  chat,
  page,
}) => {
  const one = await chat.prepare("The one chat", "An answer");
  await chat.prepare("The other chat", "Another answer");
  await chat.open(one);
  await expect(chat.question("The one chat")).toBeVisible();
  const released = Promise.withResolvers<void>();
  await page.route(ONE_CHAT, async (route) => {
    await released.promise;
    await route.continue();
  });
  await chat.choose("The other chat");
  await chat.box.fill("For the other");
  await expect(chat.sendButton).toBeDisabled();
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Loading…" })).toHaveCount(1);
  released.resolve();
  await expect(chat.question("The other chat")).toBeVisible();
  await expect(chat.box).toHaveValue("For the other");
  await chat.ask("For the other");
  await expect(chat.messages).toHaveCount(4);
  expect(await chat.read(one)).toMatchObject({ messages: { length: 2 } });
});

test("text typed on the welcome screen moves into the new chat @proof", async ({ chat, page }) => {
  await chat.open();
  await chat.box.fill("A long thought");
  await (await chat.sidebar()).getByRole("button", { name: "New chat" }).click();
  await expect(page).toHaveURL(/\/chat\?c=/);
  await expect(chat.box).toHaveValue("A long thought");
  await page.goto("/chat");
  await expect(chat.box).toHaveValue("");
});

test("a message sent before its chat is loaded goes out afterwards, unless its text was changed", async ({
  chat,
  page,
}) => {
  const one = await chat.prepare("The one chat", "An answer");
  for (const after of ["", " to say"]) {
    const released = Promise.withResolvers<void>();
    await page.route(ONE_CHAT, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`/chat?c=${one}`);
    await chat.send("Too early");
    await page.keyboard.type(after);
    released.resolve();
    await expect(chat.question("The one chat")).toBeVisible();
    if (after) await expect(chat.sendButton).toBeEnabled();
    else await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(chat.question("Too early")).toHaveCount(1);
    await expect(chat.box).toHaveValue(after && `Too early${after}`);
  }
  expect((await chat.read(one)).messages).toHaveLength(4);
});

test("New chat shows no Stop button while the chat is being created @proof", async ({ chat, page }) => {
  const one = await chat.prepare("The one chat", "An answer");
  await chat.open(one);
  await expect(chat.question("The one chat")).toBeVisible();
  const released = Promise.withResolvers<void>();
  await page.route(/\/api\/chat$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await chat.box.fill("Not yet");
  const sidebar = await chat.sidebar();
  await sidebar.getByRole("button", { name: "New chat" }).click();
  await expect(sidebar.getByRole("button", { name: "New chat" })).toBeDisabled();
  await chat.leaveSidebar();
  await expect(chat.sendButton).toBeDisabled();
  await expect(chat.stopButton).toBeHidden();
  released.resolve();
  await expect(chat.welcome).toBeVisible();
});

test.describe("a question whose response was lost", () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test("a question that is sent again after a reload is stored once @proof", async ({ chat, page }) => {
    const one = await chat.prepare("The one chat", "An answer");
    await chat.open(one);
    await expect(chat.question("The one chat")).toBeVisible();
    const taken = Promise.withResolvers<void>();
    await page.route(SEND, async (route) => {
      await route.fetch();
      taken.resolve();
    });
    await chat.send("Only once");
    await taken.promise;
    await page.reload();
    await page.unroute(SEND);
    await expect(chat.question("Only once")).toBeVisible();
    await expect(chat.box).toHaveValue("Only once");
    await chat.ask("Only once");
    await expect(chat.messages).toHaveCount(4);
    expect(await chat.read(one)).toMatchObject({ messages: { length: 4 } });
    await expect(chat.box).toHaveValue("");
  });
});

test.describe("a chat that was deleted elsewhere", () => {
  test.use({ expectedErrors: [/status of 404|net::ERR_/] });

  test("a deletion whose event was lost is reported on the next send, and the draft moves to a new chat @proof", async ({
    chat,
    page,
  }) => {
    await page.route(/\/api\/events/, (route) => route.abort());
    const one = await chat.prepare("The one chat", "An answer");
    await chat.open(one);
    await expect(chat.question("The one chat")).toBeVisible();
    await chat.call("DELETE", `/chat/${one}`);
    await chat.send("Words to keep");
    await expect(chat.banner).toContainText("This chat no longer exists.");
    await expect(chat.box).toHaveValue("Words to keep");
    await expect(page).toHaveURL("/chat");
    await chat.sidebar();
    await expect(chat.entry("The one chat")).toBeHidden();
    await chat.leaveSidebar();
    await chat.box.press("Enter");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
  });
});

test("a draft without a chat becomes the first message of a new one @proof", async ({ chat, page }) => {
  await chat.open();
  await chat.box.fill("Begun before the reload");
  await page.reload();
  await expect(chat.box).toHaveValue("Begun before the reload");
  await chat.box.press("Enter");
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await page.goto("/chat");
  await expect(chat.box).toHaveValue("");
});

test("the model menu lists groups and models, sends the selected value, and remembers it @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await expect(chat.modelMenu).toHaveAccessibleName("Model: Automatic");
  await chat.modelMenu.click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitemradio")).toHaveText([
    /^Automatic/,
    "gpt-4.1-nano",
    "gpt-5-nano",
    "gpt-5-mini",
    "gpt-5",
    "gpt-6.1-sol",
    "gpt-6.1-terra",
    "gpt-6-luna",
    "Claude Sonnet 3.5 (20241022)",
    "Claude Sonnet 4 (20250514)",
    "Claude Sonnet 4.5 (20250929)",
    "Claude Opus 5.5",
    "Claude Sonnet 5.5",
    "Claude Haiku 5.5",
  ]);
  await expect(menu.getByText("GPT", { exact: true })).toBeVisible();
  await expect(menu.getByText("Antropic", { exact: true })).toBeVisible();
  await expect(menu.getByRole("menuitemradio", { name: /^Automatic/ })).toBeChecked();
  await menu.getByRole("menuitemradio", { name: "Claude Sonnet 4 (20250514)" }).click();
  await expect(chat.modelMenu).toHaveAccessibleName("Model: Claude Sonnet 4 (20250514)");

  const sent = page.waitForRequest(SEND);
  await chat.ask("To Claude");
  expect((await sent).postDataJSON()).toMatchObject({ message: "To Claude", model: "CLAUDE:claude-sonnet-4-20250514" });
  expect(provider.chats.at(-1)?.model).toBe("claude-sonnet-4-20250514");

  await page.reload();
  await expect(chat.modelMenu).toHaveAccessibleName("Model: Claude Sonnet 4 (20250514)");
  await chat.modelMenu.click();
  await menu.getByRole("menuitemradio", { name: "gpt-4.1-nano" }).click();
  await chat.ask("To GPT");
  expect(provider.chats.at(-1)?.model).toBe("gpt-4.1-nano");

  await chat.modelMenu.click();
  await menu.getByRole("menuitemradio", { name: /^Automatic/ }).click();
  const automatic = page.waitForRequest(SEND);
  await chat.ask("To whom it may concern");
  expect((await automatic).postDataJSON()).not.toHaveProperty("model");
});

test.describe("a list of models that cannot be read", () => {
  test.use({ expectedErrors: [/status of 500|list of models/] });

  test("the menu offers only automatic choice if the list of models cannot be read @proof", async ({ chat, page }) => {
    await page.route(/\/api\/models$/, (route) => route.fulfill({ status: 500, body: "" }));
    await chat.open();
    await chat.modelMenu.click();
    await expect(page.getByRole("menuitemradio")).toHaveText([/^Automatic/]);
    await page.keyboard.press("Escape");
    await chat.ask("Anybody there?");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
  });
});
