import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import type { ScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";
import { expectNoOverhang } from "./looks.ts";

const WAITING = "Waiting for another reply to finish…";

test.use({ expectedErrors: [failedRequest(429)] });

/** Releases the text once for each held reply: the provider distributes releases to them in turn. */
function sayInAll(provider: ScriptedProvider, words: string): void {
  for (let count = 0; count < REPLIES_AT_ONCE; count += 1) provider.release(words);
}

/** Starts the maximum number of replies, each in a chat of its own. Returns another chat, without a running reply. */
async function keepAllBusy(chat: ChatScreen, provider: ScriptedProvider): Promise<string> {
  const quiet = await chat.prepare("The quiet one", "Its answer");
  for (let count = 1; count <= REPLIES_AT_ONCE; count += 1) {
    await chat.open(await chat.prepare(`Busy ${count}`, "An answer"));
    await chat.send(`[scenario:held] Long question ${count}.`);
    await provider.untilHeld(count);
  }
  // A reply that ends without text would be retried with another provider.
  sayInAll(provider, "Words");
  await expect(chat.answer("Words")).toBeVisible();
  return quiet;
}

test.describe("B2 a message sent while the maximum number of replies runs", () => {
  test("a message waits on the screen, and is sent automatically when a reply ends @every-screen", async ({
    chat,
    page,
    provider,
  }) => {
    await chat.open(await keepAllBusy(chat, provider));
    await chat.send("The fourth at once.");
    const waiting = chat.question("The fourth at once.");
    await expect(waiting).toContainText(WAITING);
    await expect(page.getByRole("status").filter({ hasText: WAITING })).toHaveCount(1);
    await expect(page.getByText("Thinking...")).toBeHidden();
    await expect(chat.banner).toBeHidden();
    await expect(chat.box).toHaveValue("");
    await expectNoOverhang(page);
    expect(provider.chats).toHaveLength(REPLIES_AT_ONCE);

    provider.finish();
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(waiting).not.toContainText(WAITING);
    await expect(chat.messages).toHaveCount(4);
    expect(provider.chats).toHaveLength(REPLIES_AT_ONCE + 1);
    await page.reload();
    await expect(chat.messages).toHaveCount(4);
    await expect(chat.box).toHaveValue("");
  });

  test("a waiting message can be withdrawn into its box, by Cancel and by Stop @proof", async ({
    chat,
    page,
    provider,
    isMobile,
  }) => {
    const quiet = await keepAllBusy(chat, provider);
    await chat.open(quiet);
    for (const takeBack of ["Cancel", "Stop"]) {
      await chat.send("Better not.");
      await expect(chat.question("Better not.")).toContainText(WAITING);
      await page.getByRole("main").getByRole("button", { name: takeBack, exact: true }).click();
      await expect(chat.box).toHaveValue("Better not.");
      await expect(chat.messages).toHaveCount(2);
      await expect(chat.banner).toBeHidden();
      if (!isMobile) await expect(chat.box).toBeFocused();
    }
    provider.finish();
    await page.reload();
    await expect(chat.box).toHaveValue("Better not.");
    expect((await chat.read(quiet)).messages).toHaveLength(2);
    expect(provider.chats).toHaveLength(REPLIES_AT_ONCE);
  });

  test("a message waits in another tab too, also as the first message of a new chat @proof", async ({
    chat,
    context,
    parley,
    provider,
  }) => {
    await keepAllBusy(chat, provider);
    const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
    await other.open();
    await other.send("The beginning of another.");
    await expect(other.question("The beginning of another.")).toContainText(WAITING);
    // The refused send takes no text released for the other replies.
    sayInAll(provider, ", and more");
    await expect(chat.answer("Words, and more")).toBeVisible();
    provider.finish();
    await expect(other.answer("This is a scripted reply")).toBeVisible();
    expect(provider.chats).toHaveLength(REPLIES_AT_ONCE + 1);
  });
});

test("B2 a message that exceeds the rate limit stays in its chat, and counts down to its next attempt @proof", async ({
  chat,
  page,
}) => {
  await chat.open(await chat.prepare("The beginning", "An answer"));
  await page.route(/\/send\?stream=1$/, (route) =>
    route.fulfill({
      status: 429,
      contentType: "application/problem+json",
      headers: { "retry-after": "42" },
      body: JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" }),
    }),
  );
  await chat.send("Once too often.");
  await expect(chat.banner).toHaveText("Too many requests. Please wait 42 seconds.");
  await expect(chat.question("Once too often.")).toContainText(/Not sent\s*Next attempt in \d+ seconds/);
  await expect(chat.box).toHaveValue("");
  await expect(chat.messages).toHaveCount(3);
});
