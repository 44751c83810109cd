import { errorSentences } from "#contract/errors.ts";
import { answerSends, type ChatScreen, expect, failedRequest, ONE_CHAT, SEND, test } from "./chat-screen.ts";

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const json = "application/json";

/** Asserts that the banner has a row of its own: scrolled messages end below it, with a gap. */
async function expectAboveMessages({ banner, page }: ChatScreen): Promise<void> {
  const gap = async () => {
    const [above, messages] = [await banner.boundingBox(), await page.getByLabel("Conversation").boundingBox()];
    return (messages?.y ?? Number.NaN) - (above?.y ?? Number.NaN) - (above?.height ?? Number.NaN);
  };
  // The banner grows while it appears.
  await expect.poll(gap).toBeGreaterThanOrEqual(8);
}

test.describe("a refused send", () => {
  test.use({ expectedErrors: [/status of [45]/] });
  const refusals: [name: string, status: number, body: string, sentence: string][] = [
    ["400 with detail.message", 400, JSON.stringify({ detail: { message: "By detail.message" } }), "By detail.message"],
    ["400 with detail.error", 400, JSON.stringify({ detail: { error: "By detail.error" } }), "By detail.error"],
    ["400 with error", 400, JSON.stringify({ error: "By error" }), "By error"],
    ["400 with a raw body", 400, "In plain words", "In plain words"],
    ["400 with nothing", 400, "", "Unknown error occurred"],
    ["500 with a body", 500, "The server's own words", "The server's own words"],
    ["500 with nothing", 500, "", "HTTP 500"],
    ["501 with nothing", 501, "", "HTTP 501"],
    ["404 with nothing", 404, " ", "HTTP 404"],
    [
      "429 by its code",
      429,
      JSON.stringify({ detail: "x", error: "x", code: "too-many-requests" }),
      errorSentences["too-many-requests"],
    ],
  ];
  test("a refused send shows the reason and leaves its question in the chat, for every status and body @proof", async ({
    chat,
    page,
  }) => {
    await chat.open();
    const question = chat.question("Words that must not be lost");
    for (const [nth, [name, status, body, sentence]] of refusals.entries()) {
      await test.step(name, async () => {
        await answerSends(page, { status, body, contentType: json });
        if (nth === 0) await chat.send("Words that must not be lost");
        else await question.getByRole("button", { name: "Try again" }).click();
        await expect(chat.banner).toHaveText(sentence);
        await expect(chat.messages).toHaveCount(1);
        await expect(question).toContainText("Not sent");
        await expect(chat.box).toHaveValue("");
        await expect(page.getByText("Thinking...")).toBeHidden();
        await chat.banner.getByRole("button", { name: "Close" }).click();
        await expect(chat.banner).toBeHidden();
        await page.unroute(SEND);
      });
    }
    await page.reload();
    await expect(question).toContainText("Not sent");
    await question.getByRole("button", { name: "Try again" }).click();
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(question).toHaveCount(1);
    await expect(question).not.toContainText("Not sent");
  });

  test("Edit restores a refused text to the box above text that was typed meanwhile @every-screen @proof", async ({
    chat,
    page,
  }) => {
    const typed = Promise.withResolvers<void>();
    await page.route(SEND, async (route) => {
      await typed.promise;
      await route.fulfill({ status: 400, body: "No." });
    });
    await chat.open();
    await chat.send("The first words");
    await expect(chat.question("The first words")).toBeVisible();
    await chat.box.fill("The next words");
    typed.resolve();
    await expect(chat.banner).toHaveText("No.");
    await expect(chat.question("The first words")).toContainText("Not sent");
    await expect(chat.box).toHaveValue("The next words");
    await chat.question("The first words").getByRole("button", { name: "Edit" }).click();
    await expect(chat.box).toHaveValue("The first words\n\nThe next words");
    await expect(chat.box).toBeFocused();
    await expect(chat.messages).toHaveCount(0);
  });
});

test.describe("a send that does not reach the server", () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test("an unsent message waits, is in its box after a reload, and is sent once @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await page.route(SEND, (route) => route.abort("connectionrefused"));
    await chat.open();
    await chat.send("Words that must not be lost");
    await expect(chat.question("Words that must not be lost")).toContainText("Waiting for the connection…");
    await expect(chat.banner).toBeHidden();
    await page.reload();
    await expect(chat.box).toHaveValue("Words that must not be lost");
    await page.unroute(SEND);
    // Nothing can be sent to a chat before it is loaded.
    await expect(chat.sendButton).toBeEnabled();
    await chat.box.press("Enter");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    expect(provider.chats).toHaveLength(1);
  });

  test("a lost response causes no second message or answer @proof", async ({ chat, page, provider }) => {
    let isFirst = true;
    await page.route(SEND, async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      await route.fetch();
      return route.abort("connectionreset");
    });
    await chat.open();
    await chat.ask("Only once");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(chat.messages).toHaveCount(2);
    expect(provider.chats).toHaveLength(1);
  });
});

test("a failure before the first text shows the reason and leaves the question @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  provider.scenario = "error-before-first-word";
  await chat.open();
  await chat.send("Please answer.");
  await expect(chat.banner).toHaveText(errorSentences["assistant-failed"]);
  await expectAboveMessages(chat);
  await expect(page.getByText("Thinking...")).toBeHidden();
  await expect(chat.messages).toHaveCount(1);
  await expect(chat.question("Please answer.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  await page.reload();
  await expect(chat.question("Please answer.")).toBeVisible();
  await expect(chat.messages).toHaveCount(1);
  await expect(chat.banner).toBeHidden();

  provider.scenario = "fast";
  provider.reply = "Now it works.";
  await chat.send("Again, please.");
  await expect(chat.answer("Now it works.")).toBeVisible();
  await expect(chat.messages).toHaveCount(3);
});

test("a failure in the middle shows the reason and keeps the text @proof", async ({ chat, page, provider }) => {
  provider.reply = "These words came through before it broke, and these did not.";
  await chat.open();
  await chat.send("[scenario:error-mid-stream] Please answer.");
  await expect(chat.banner).toHaveText(errorSentences["assistant-busy"]);
  await expect(chat.answer("These words came through")).toContainText(
    "This answer was cut off. The text received so far is kept.",
  );
  await page.reload();
  await expect(chat.answer("These words came through")).toContainText(
    "This answer was cut off. The text received so far is kept.",
  );
});

test("an empty error is shown as a generic stream error @proof", async ({ chat, page }) => {
  await answerSends(page, { body: `data: Some words\n\n${event({ error: {} })}` });
  await page.route(ONE_CHAT, () => {});
  await chat.open();
  await chat.send("Hi");
  await expect(chat.banner).toHaveText("Stream error");
  await expect(chat.answer("Some words")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
});

test("the error of a JSON response is shown @proof", async ({ chat, page }) => {
  await answerSends(page, { contentType: json, body: JSON.stringify({ ai_response: null, error: "Not today." }) });
  await page.route(ONE_CHAT, () => {});
  await chat.open();
  await chat.send("Hi");
  await expect(chat.banner).toHaveText("Not today.");
  await expect(chat.messages).toHaveCount(1);
  await expect(chat.question("Hi")).toBeVisible();
});

test.describe("a chat that cannot be read again after its answer", () => {
  test.use({ expectedErrors: [failedRequest(500)] });

  test("a chat that cannot be read again after its answer shows an error, and the answer keeps its text @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await chat.open();
    await chat.send("[scenario:held] Hi");
    provider.release("Words that stay.");
    await expect(chat.answer("Words that stay.")).toBeVisible();
    await page.route(ONE_CHAT, (route) => route.fulfill({ status: 500, body: "" }));
    provider.finish();
    await expect(chat.banner).toHaveText("Failed to refresh chat");
    await expect(chat.answer("Words that stay.")).toBeVisible();
    await chat.banner.getByRole("button", { name: "Close" }).click();
    await expect(chat.banner).toBeHidden();
  });
});

test("a new send clears the previous error @proof", async ({ chat, provider }) => {
  provider.scenario = "error-before-first-word";
  await chat.open();
  await chat.send("One");
  await expect(chat.banner).toBeVisible();
  provider.scenario = "fast";
  await chat.send("Two");
  await expect(chat.banner).toBeHidden();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
});
