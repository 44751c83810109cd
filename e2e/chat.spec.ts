import { expect, ONE_CHAT, test } from "./chat-screen.ts";
import { clipboardText } from "./clipboard.ts";
import { holdTimers } from "./held-timers.ts";

test("an empty chat shows the welcome screen, without a title and Logout in the header @every-screen", async ({
  chat,
  page,
  isMobile,
}) => {
  await chat.open();
  await expect(chat.welcome).toBeVisible();
  await expect(page.getByText("The assistant can make mistakes. Check important information.")).toBeVisible();
  await expect(page.getByRole("main").getByText("Parley", { exact: true })).toBeHidden();
  await expect(page.getByRole("main").getByRole("button", { name: "Logout" })).toBeHidden();
  await expect(chat.sendButton).toBeDisabled();
  if (!isMobile) await expect(chat.box).toBeFocused();
});

test("the welcome screen greets by name, and its suggestions, two at 200 % zoom, are added to the box", async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await chat.open();
  await expect(chat.welcome).toBeInViewport({ ratio: 1 });
  for (const index of [0, 1]) {
    await expect(page.getByRole("main").getByRole("listitem").nth(index)).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole("main").getByText("Hello, Ada.")).toBeVisible();
  const prompts: string[] = [];
  for (const index of [0, 1, 2]) {
    const suggestion = page.getByRole("main").getByRole("listitem").nth(index).getByRole("button");
    prompts.push((await suggestion.locator("span span").last().textContent()) ?? "");
    await suggestion.click();
    await expect(chat.box).toHaveValue(prompts.join("\n\n"));
    await expect(chat.box).toBeFocused();
  }
  await page.getByRole("main").getByRole("listitem").first().getByRole("button").click();
  await expect(chat.box).toHaveValue(prompts.join("\n\n"));
});

test("the first send creates exactly one chat @proof", async ({ chat, page }) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") calls.push(new URL(request.url()).pathname.replace(/[0-9a-f-]{36}/, "ID"));
  });
  await chat.open();
  await chat.ask("What is a fjord?");
  expect(calls).toEqual(["/api/chat", "/api/chat/ID/send"]);
  const [made] = await chat.history();
  await expect(page).toHaveURL(`/chat?c=${made?.id}`);
});

test("question and Thinking... appear at once, text follows, and the chat is read again at the end @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await expect(page.getByRole("main").getByRole("button", { name: "Logout" })).toBeHidden();
  await chat.send("[scenario:held] Tell me slowly.");
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.messages.nth(0)).toContainText(/^You\s*Now.*Tell me slowly\.$/);
  await expect(chat.messages.nth(1)).toContainText(/^Server\s*Now\s*Thinking\.\.\./);
  await expect(page.getByRole("main").getByRole("heading", { name: "Parley", level: 1 })).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: "Logout" })).toBeVisible();
  await expect(chat.box).toHaveValue("");
  await expect(chat.stopButton).toBeVisible();
  await expect(chat.sendButton).toBeHidden();

  provider.release("First words");
  await expect(chat.answer("First words")).toBeVisible();
  await expect(page.getByText("Thinking...")).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "The assistant is writing." })).toBeAttached();
  provider.release(", and the last.");
  await expect(chat.answer("First words, and the last.")).toBeVisible();

  // A PATCH to the same URL marks the answer as read.
  const reread = page.waitForResponse((answer) => ONE_CHAT.test(answer.url()) && answer.request().method() === "GET");
  provider.finish();
  expect((await reread).status()).toBe(200);
  await expect(chat.sendButton).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "The answer is complete." })).toBeAttached();
  await expect(chat.answer("First words, and the last.")).toHaveCount(1);
});

test("the assistant's thinking is folded @proof", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] Think first.");
  provider.think("A secret thought.");
  await provider.chat(1);
  await expect(page.getByRole("button", { name: "Thinking..." })).toBeVisible();
  provider.release("The answer.");
  await expect(chat.answer("The answer.")).toBeVisible();
  await expect(page.getByText("A secret thought.")).toHaveCount(0);
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
});

test("a chat is titled by its shortened question at once, and by the model after the answer @proof", async ({
  chat,
  page,
  provider,
}) => {
  provider.titleScenario = "held";
  await chat.open();
  const question = `What is a fjord, and how does it differ from ${"a very long and winding ".repeat(8)}bay?`;
  await chat.send(`[scenario:held] ${question}`);
  provider.release("A fjord is an inlet.");
  await expect(chat.answer("A fjord is an inlet.")).toBeVisible();
  await chat.sidebar();
  await expect(chat.entry(/What is a fjord/)).toBeVisible();
  const cut = (await chat.entry(/What is a fjord/).textContent()) ?? "";
  expect(cut.length).toBeLessThan(120);
  // A PATCH to the same URL marks the answer as read.
  const reread = page.waitForResponse((answer) => ONE_CHAT.test(answer.url()) && answer.request().method() === "GET");
  provider.finish();
  await reread;
  await expect(chat.entry(/What is a fjord/)).toBeVisible();
  provider.release("Inlets of the north");
  provider.finish();
  await expect(chat.entry("Inlets of the north")).toBeVisible();
  await chat.leaveSidebar();
  await expect(page).toHaveTitle("Inlets of the north · Parley");
});

test("each question is sent with the earlier messages of the conversation @proof", async ({ chat, provider }) => {
  await chat.open();
  await chat.ask("One");
  await chat.ask("Two");
  await expect(chat.messages).toHaveCount(4);
  expect(provider.chats.at(-1)?.messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "One"],
    ["assistant", provider.reply],
    ["user", "Two"],
  ]);
});

test("a reply that is being written survives a reload and continues @proof", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon");
  await expect(chat.answer("Once upon")).toBeVisible();
  await page.reload();
  await expect(chat.answer("Once upon")).toBeVisible();
  await expect(chat.stopButton).toBeVisible();
  provider.release(" a time.");
  await expect(chat.answer("Once upon a time.")).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
  expect(provider.chats).toHaveLength(1);
});

test("a reload before the first text shows the question and Thinking... @proof", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] Take your time.");
  await provider.chat(1);
  await page.reload();
  await expect(chat.question("Take your time.")).toBeVisible();
  await expect(page.getByText("Thinking...")).toBeVisible();
  provider.release("Now then.");
  await expect(chat.answer("Now then.")).toBeVisible();
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
});

test("a message is copied as Markdown source", async ({ chat, page, provider, context }) => {
  await context.grantPermissions(["clipboard-write"]);
  provider.reply = "Some **bold** words.";
  await holdTimers(page, 2000);
  await chat.open();
  await chat.ask("Be bold");
  await chat.answer("Some bold words.").getByRole("button", { name: "Copy message" }).click();
  await expect(chat.answer("Some bold words.").getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await clipboardText(page)).toBe("Some **bold** words.");
});
