import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import type { ScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";
import { expectAccessibleInBothLooks, expectNoOverhang } from "./looks.ts";

const WAITING = "Waiting until another reply has ended…";

test.use({ expectedErrors: [failedRequest(429)] });

/** What the provider is told goes to its held replies in turn: each of them says this. */
function sayInAll(provider: ScriptedProvider, words: string): void {
  for (let count = 0; count < REPLIES_AT_ONCE; count += 1) provider.release(words);
}

/** Has as many replies written as may be, each in a chat of its own, and gives a chat that is still quiet. */
async function keepAllBusy(chat: ChatScreen, provider: ScriptedProvider): Promise<string> {
  const quiet = await chat.prepare("The quiet one", "Its answer");
  for (let count = 1; count <= REPLIES_AT_ONCE; count += 1) {
    await chat.open(await chat.prepare(`Busy ${count}`, "An answer"));
    await chat.send(`[scenario:held] Long question ${count}.`);
    await provider.untilHeld(count);
  }
  // A reply without a word would be asked for elsewhere when it ends.
  sayInAll(provider, "Words");
  await expect(chat.answer("Words")).toBeVisible();
  return quiet;
}

test.describe("B2 a message for which there are too many replies at once", () => {
  test("waits on the screen, and begins by itself when one of them ends @every-screen", async ({
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
    await expectAccessibleInBothLooks(page);
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

  test("can be taken back into its box, by Cancel and by Stop", async ({ chat, page, provider, isMobile }) => {
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

  test("waits in another tab as well, and a new chat waits like an old one", async ({
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
    // What is refused costs none of the others its words.
    sayInAll(provider, ", and more");
    await expect(chat.answer("Words, and more")).toBeVisible();
    provider.finish();
    await expect(other.answer("This is a scripted reply")).toBeVisible();
    expect(provider.chats).toHaveLength(REPLIES_AT_ONCE + 1);
  });
});

test("B2 a message that is sent too often goes back to its box, with the time to wait", async ({ chat, page }) => {
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
  await expect(chat.banner).toHaveText("That was too often. Please wait 42 seconds.");
  await expect(chat.box).toHaveValue("Once too often.");
  await expect(chat.messages).toHaveCount(2);
});
