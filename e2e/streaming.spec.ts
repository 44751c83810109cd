import { answerSends, ChatScreen, expect, failedRequest, ONE_CHAT, test } from "./chat-screen.ts";

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const json = "application/json";

test.describe("formats of a response @proof", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });
  const forms: [name: string, contentType: string, body: string][] = [
    ["token", "text/event-stream", `${event({ token: "Hello " })}${event({ token: "there." })}data: [DONE]\n\n`],
    ["content", "text/event-stream", event({ content: "Hello " }) + event({ content: "there." })],
    ["text", "text/event-stream", event({ text: "Hello " }) + event({ text: "there." })],
    ["delta", "text/event-stream", event({ delta: "Hello " }) + event({ delta: "there." })],
    [
      "choices",
      "text/event-stream",
      event({ choices: [{ delta: { content: "Hello " } }] }) +
        event({ choices: [{ delta: {} }] }) +
        event({ choices: [{ delta: { content: "there." } }] }),
    ],
    [
      "data.content",
      "text/event-stream",
      event({ data: { content: "Hello " } }) + event({ data: { content: "there." } }),
    ],
    ["plain text in events", "text/event-stream", "data: Hello \n\ndata:there.\n\ndata: [DONE]\n\n"],
    [
      "empty data and signs of life",
      "text/event-stream",
      "data:\n\n: ping\n\ndata: Hello there.\n\ndata: \n\ndata:[DONE]\n\n",
    ],
    ["names, ids and retry", "text/event-stream", "event: token\nid: 1\nretry: 10\ndata: Hello there.\n\n"],
    ["text after a [DONE]", "text/event-stream", "data: Hello \n\ndata: [DONE]\n\ndata: there.\n\n"],
    ["CRLF, and no last line end", "text/event-stream", "data: Hello \r\n\r\ndata: there."],
    ["plain lines", "text/plain", "Hello there."],
    ["events in plain text", "text/plain", `${event({ token: "Hello " })}there.\n`],
    ["JSON with ai_response", json, JSON.stringify({ user_message: {}, ai_response: { content: "Hello there." } })],
    ["JSON with content", json, JSON.stringify({ content: "Hello there." })],
    ["JSON with text", json, JSON.stringify({ text: "Hello there." })],
    ["JSON with message", json, JSON.stringify({ message: "Hello there." })],
  ];
  for (const type of new Set(forms.map(([, contentType]) => contentType))) {
    test(`a response of type ${type} is shown in each of its formats`, async ({ chat, page }) => {
      await page.route(ONE_CHAT, (route) => route.abort());
      await chat.open();
      let count = 0;
      for (const [name, contentType, body] of forms) {
        if (contentType !== type) continue;
        await test.step(name, async () => {
          await answerSends(page, { contentType, body });
          await chat.send("Hi");
          count += 2;
          await expect(chat.messages).toHaveCount(count);
          await expect(chat.messages.last()).toHaveText(/^ServerNowHello there\.$/);
          await expect(chat.sendButton).toBeVisible();
        });
      }
    });
  }
});

test("plain lines keep their line breaks @proof", async ({ chat, page }) => {
  await answerSends(page, { contentType: "text/plain", body: "First line\nsecond line\n\nthird line" });
  await page.route(ONE_CHAT, () => {});
  await chat.open();
  await chat.send("Hi");
  await expect(chat.messages.last().locator("p br")).toHaveCount(1);
  await expect(chat.messages.last().getByText("third line")).toBeVisible();
});

test("at the end the chat is read again and replaces the streamed text @proof", async ({ chat, page }) => {
  await answerSends(page, { body: "data: As it came.\n\ndata: [DONE]\n\n" });
  const seen = Promise.withResolvers<void>();
  await page.route(ONE_CHAT, async (route) => {
    await seen.promise;
    const message = { state: "complete", parent: null, model: null, createdAt: 1 };
    const messages = [
      { ...message, id: "q", role: "user", content: "Hi" },
      { ...message, id: "a", role: "assistant", content: "As it is stored." },
    ];
    await route.fulfill({ json: { id: route.request().url().split("/").at(-1), title: "T", updatedAt: 1, messages } });
  });
  await chat.open();
  await chat.send("Hi");
  await expect(chat.answer("As it came.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  seen.resolve();
  await expect(chat.answer("As it is stored.")).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
});

test("Stop ends the answer, keeps its text and shows that it was stopped @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon a time");
  await expect(chat.answer("Once upon a time")).toBeVisible();
  await chat.stopButton.click();
  await expect(chat.answer("Once upon a time")).toContainText("You stopped this answer.");
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.banner).toBeHidden();
  await (await provider.chat(1)).closed;
  expect(provider.chats[0]?.isAborted).toBe(true);
  await page.reload();
  await expect(chat.answer("Once upon a time")).toContainText("You stopped this answer.");
  await chat.ask("And then?");
  await expect(chat.messages).toHaveCount(4);
});

test("Stop before the first text leaves only the question @proof", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] Never mind.");
  await provider.chat(1);
  await chat.stopButton.click();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.question("Never mind.")).toBeVisible();
  await expect(page.getByText("Thinking...")).toBeHidden();
  await expect(chat.banner).toBeHidden();
  await expect(chat.messages).toHaveCount(1);
});

test.describe("a Stop request that fails", () => {
  test.use({ expectedErrors: [failedRequest(503)] });

  test("a Stop request that fails shows an error, and the answer continues @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await page.route(/\/stop$/, (route) => route.fulfill({ status: 503, body: "" }));
    await chat.open();
    await chat.send("[scenario:held] A long story.");
    provider.release("Once upon");
    await expect(chat.answer("Once upon")).toBeVisible();
    await chat.stopButton.click();
    await expect(chat.banner).toHaveText("The answer could not be stopped. Please try again.");
    provider.release(" a time.");
    await expect(chat.answer("Once upon a time.")).toBeVisible();
    provider.finish();
    await expect(chat.sendButton).toBeVisible();
  });
});

test("two chats are answered at once, each keeps its text, and an end does not switch the view @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  const quiet = await chat.prepare("A quiet chat", "With an answer");
  await chat.open();
  await chat.send("[scenario:held] The streaming chat");
  provider.release("Words of the stream");
  await expect(chat.answer("Words of the stream")).toBeVisible();
  await chat.choose("A quiet chat");
  await expect(chat.answer("With an answer")).toBeVisible();
  await expect(chat.answer("Words of the stream")).toBeHidden();
  await expect(chat.sendButton).toBeVisible();
  await chat.sidebar();
  await expect(chat.entry(/The streaming chat/)).toContainText("Answer in progress");
  await chat.leaveSidebar();

  await chat.ask("A question in between");
  await expect(chat.answer("This is a scripted reply")).toBeVisible();

  provider.release(", and more of them");
  const reread = page.waitForResponse((answer) => ONE_CHAT.test(answer.url()) && !answer.url().endsWith(quiet));
  provider.finish();
  await reread;
  await expect(page).toHaveURL(`/chat?c=${quiet}`);
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.messages).toHaveCount(4);
  await chat.choose(/The streaming chat|A fitting title/);
  await expect(chat.answer("Words of the stream, and more of them")).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
});

test("a reply continues while no page is open, and is complete when its chat is opened again @proof", async ({
  chat,
  page,
  context,
  parley,
  provider,
}) => {
  await chat.open();
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon");
  await expect(chat.answer("Once upon")).toBeVisible();
  const address = page.url();
  await page.close();
  provider.release(" a time.");
  provider.finish();
  await (await provider.chat(1)).closed;
  const later = new ChatScreen(await context.newPage(), parley.app, chat.account);
  await later.page.goto(address);
  await expect(later.answer("Once upon a time.")).toBeVisible();
  await expect(later.sendButton).toBeVisible();
});
