import type { Locator, Page } from "@playwright/test";
import { errorSentences } from "#contract/errors.ts";
import type { ScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { ChatScreen, expect, failedRequest, sendKey, test } from "./chat-screen.ts";
import { expectNoOverhang, expectTouchable } from "./looks.ts";

const button = (scope: Page | Locator, name: string) => scope.getByRole("button", { name, exact: true });
const editBox = ({ page }: ChatScreen) => page.getByRole("textbox", { name: "Edit message" });
const top = (message: Locator) => message.evaluate((element) => Math.round(element.getBoundingClientRect().top));

/** Makes the assistant number its answers and quote the question. */
function count(provider: ScriptedProvider): void {
  let answers = 0;
  provider.reply = ({ messages }) => `Answer ${++answers} to “${messages.at(-1)?.content}”.`;
}

test("an edited question keeps both versions, each with the messages that followed it @every-screen @phone", async ({
  chat,
  page,
  provider,
}) => {
  count(provider);
  await chat.open();
  await chat.ask("One");
  await chat.ask("Two");
  await chat.question("One").hover();
  await button(chat.question("One"), "Edit").click();
  await expect(editBox(chat)).toBeFocused();
  await expect(editBox(chat)).toHaveValue("One");
  await expectNoOverhang(page);
  const hint = page.locator("form").getByText("Sending creates a new version.");
  const hintLines = await hint.evaluate(
    (text) => text.getBoundingClientRect().height / parseFloat(getComputedStyle(text).lineHeight),
  );
  expect(Math.round(hintLines)).toBeLessThanOrEqual(2);

  await page.keyboard.press("Escape");
  await expect(editBox(chat)).toBeHidden();
  await expect(button(chat.question("One"), "Edit")).toBeFocused();
  await button(chat.question("One"), "Edit").click();
  provider.next("held");
  await editBox(chat).fill("One,");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("better");
  await page.keyboard.press(await sendKey(page));
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.question("better")).toBeVisible();
  await expect(page.getByText("Thinking...")).toBeVisible();
  provider.release("Held words.");
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  const versions = page.getByText("Version 2 of 2");
  await expect(versions).toHaveCount(1);

  await button(page, "Previous version").click();
  await expect(chat.messages).toHaveCount(4);
  await expect(chat.answer("Answer 2 to “Two”.")).toBeVisible();
  await expect(page.getByText("Version 1 of 2")).toHaveCount(1);
  await expect(button(page, "Previous version")).toBeFocused();
  if (test.info().project.name === "phone") await expectTouchable(page.getByRole("region", { name: "Conversation" }));
  await page.reload();
  await expect(chat.answer("Answer 2 to “Two”.")).toBeVisible();
  await button(page, "Next version").click();
  await expect(chat.answer("Held words.")).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
});

test("an answer is regenerated, also by another model, and switching versions does not move it on the screen", async ({
  chat,
  page,
  provider,
}) => {
  count(provider);
  await chat.open();
  await chat.ask("One");
  await chat.ask("Two");
  const first = chat.messages.nth(1);
  await first.hover();
  await button(first, "Regenerate").click();
  await expect(chat.answer("Answer 3 to “One”.")).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.box).toBeFocused();
  await button(first, "Regenerate with another model").click();
  const menu = page.getByRole("menu", { name: "Regenerate with another model" });
  await expect(menu.getByRole("menuitem").filter({ hasText: "Wrote this answer" })).toHaveCount(1);
  await menu.getByRole("menuitem", { name: "Claude Sonnet 4 (20250514)" }).click();
  await expect(chat.answer("Answer 4 to “One”.")).toBeVisible();
  await expect(page.getByText("Version 3 of 3, by Claude Sonnet 4 (20250514)")).toBeAttached();
  await expect(first.locator("bdi")).toHaveText("Claude Sonnet 4 (20250514)");
  expect(provider.chats.at(-1)?.model).toBe("claude-sonnet-4-20250514");
  await expect(chat.modelMenu).toHaveAccessibleName("Model: Automatic");

  const place = await top(first);
  await button(page, "Previous version").click();
  await expect(chat.answer("Answer 3 to “One”.")).toBeVisible();
  await button(page, "Previous version").click();
  await expect(chat.answer("Answer 2 to “Two”.")).toBeVisible();
  await expect(page.getByText("Version 1 of 3")).toBeAttached();
  expect(await top(first)).toBe(place);
});

test("a failed regeneration leaves the earlier answer @proof", async ({ chat, page, provider }) => {
  await page.addInitScript((id) => localStorage.setItem(`model:${id}`, "GPT:gpt-5-mini"), chat.account.user.id);
  count(provider);
  await chat.open();
  await chat.ask("One");
  await chat.ask("Two");
  provider.next("wrong-key");
  await chat.messages.nth(1).hover();
  await button(chat.messages.nth(1), "Regenerate with gpt-5-mini").click();
  await expect(chat.banner).toContainText(errorSentences["assistant-misconfigured"]);
  await expect(chat.messages).toHaveCount(4);
  await expect(chat.answer("Answer 2 to “Two”.")).toBeVisible();
  await expect(page.getByText(/Version \d/)).toHaveCount(0);
});

test("another tab follows the selected branch", async ({ chat, page, context, parley, provider }) => {
  count(provider);
  await chat.open();
  await chat.ask("One");
  await button(chat.messages.nth(1), "Regenerate").click();
  await expect(page.getByText("Version 2 of 2")).toBeAttached();
  const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
  await other.page.goto(page.url());
  await expect(other.answer("Answer 2")).toBeVisible();
  await button(page, "Previous version").click();
  await expect(other.answer("Answer 1")).toBeVisible();
  await expect(other.page.getByText("Version 1 of 2")).toBeAttached();
});

test.describe("a branch that the server refuses", () => {
  test.use({ expectedErrors: [failedRequest(409)] });

  test("a tab with an outdated conversation sends its message as a branch @every-screen", async ({
    chat,
    context,
    parley,
    provider,
  }) => {
    count(provider);
    const shared = await chat.prepare("The beginning", "The first answer");
    const other = new ChatScreen(await context.newPage(), parley.app, chat.account);
    for (const { page } of [chat, other]) await page.route(/\/api\/events/, () => {});
    await chat.open(shared);
    await other.open(shared);
    await expect(other.answer("The first answer")).toBeVisible();
    await chat.ask("From the first tab.");
    await other.send("From the second tab.");
    await expect(other.banner).toContainText(errorSentences["conversation-moved"]);
    await expect(other.question("From the second tab.")).toContainText("Not sent");
    await expect(other.question("From the first tab.")).toBeVisible();
    await button(other.page, "Send as a branch").click();
    await expect(other.answer("to “From the second tab.”.")).toBeVisible();
    await expect(other.banner).toBeHidden();
    await expect(other.box).toHaveValue("");
    await expect(other.question("From the first tab.")).toBeHidden();
    await expect(other.messages).toHaveCount(4);
    await button(other.page, "Previous version").click();
    await expect(other.answer("to “From the first tab.”.")).toBeVisible();
  });

  test("a refused edit stays in its box @proof", async ({ chat, page }) => {
    const id = await chat.prepare("One", "First");
    await chat.open(id);
    await page.route(/\/send\?stream=1$/, (route) =>
      route.fulfill({
        status: 409,
        contentType: "application/problem+json",
        body: JSON.stringify({ detail: "No.", error: "No.", code: "reply-running" }),
      }),
    );
    await chat.question("One").hover();
    await button(chat.question("One"), "Edit").click();
    await editBox(chat).fill("One, better");
    await button(page, "Send").first().click();
    await expect(chat.banner).toContainText(errorSentences["reply-running"]);
    await expect(editBox(chat)).toHaveValue("One, better");
    await expect(chat.answer("First")).toBeVisible();
    await page.unroute(/\/send\?stream=1$/);
    await editBox(chat).press("Enter");
    await expect(page.getByText("Version 2 of 2")).toBeAttached();
    await expect(chat.question("One, better")).toBeVisible();
  });
});

test("an unfinished edit survives a change of chat and a reload @proof", async ({ chat, page }) => {
  await chat.prepare("Elsewhere", "An answer");
  const id = await chat.prepare("One", "First");
  await chat.open(id);
  await expect(chat.question("One")).toBeVisible();
  await chat.keysAreThere();
  await page.keyboard.press("ArrowUp");
  await editBox(chat).fill("One, to be worded");
  await chat.choose("Elsewhere");
  await expect(chat.question("Elsewhere")).toBeVisible();
  await expect(editBox(chat)).toBeHidden();
  await chat.choose("One");
  await expect(editBox(chat)).toHaveValue("One, to be worded");
  await page.reload();
  await expect(editBox(chat)).toHaveValue("One, to be worded");
});

test("branches work by keyboard alone", async ({ chat, page, provider }) => {
  count(provider);
  await chat.open();
  await chat.ask("One");
  await expect(chat.box).toBeFocused();
  await chat.keysAreThere();
  await page.keyboard.press("ArrowUp");
  await expect(editBox(chat)).toBeFocused();
  await page.keyboard.type(", better");
  await page.keyboard.press("Enter");
  await expect(chat.answer("Answer 2 to “One, better”.")).toBeVisible();
  await expect(chat.box).toBeFocused();
  const tabTo = async (name: string) => {
    const wanted = button(page, name).last();
    for (let step = 0; step < 20 && !(await wanted.evaluate((one) => one === document.activeElement)); step++) {
      await page.keyboard.press("Shift+Tab");
    }
    await expect(wanted).toBeFocused();
    await expect(wanted).toBeVisible();
  };
  await tabTo("Regenerate with another model");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button(page, "Regenerate with another model")).toBeFocused();
  await tabTo("Previous version");
  await page.keyboard.press("Enter");
  await expect(chat.answer("Answer 1 to “One”.")).toBeVisible();
  await expect(button(page, "Previous version")).toBeFocused();
  await tabTo("Edit");
});

test("text selected in a message is quoted @every-screen", async ({ chat, page }) => {
  const id = await chat.prepare("One", "The first paragraph.\n\nThe second paragraph.");
  await chat.open(id);
  await chat.box.fill("What of this?");
  const select = () =>
    chat.answer("The first").evaluate((answer) => {
      const paragraphs = answer.querySelectorAll("[data-words] p");
      const [first, last] = [paragraphs[0], paragraphs[1]];
      if (first && last) document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    });
  await expect(chat.answer("The first").locator("[data-words] p")).toHaveCount(2);
  await select();
  await expect(button(page, "Quote")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(button(page, "Quote")).toBeHidden();
  await select();
  await page.keyboard.press("Alt+q");
  const quoted = "What of this?\n\n> The first paragraph.\n>\n> The second paragraph.\n\n";
  await expect(chat.box).toHaveValue(quoted);
  await expect(chat.box).toBeFocused();
  await expect(button(page, "Quote")).toBeHidden();
  await page.keyboard.type("Why?");
  await expect(chat.box).toHaveValue(`${quoted}Why?`);
  await chat.question("One").locator("[data-words]").selectText();
  await button(page, "Quote").click();
  await expect(chat.box).toHaveValue(`${quoted}Why?\n\n> One\n\n`);
  await expect(chat.box).toBeFocused();
});
