import type { Locator } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { openSettings } from "./account-menu.ts";
import { type ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";
import { letProofLapse, openSection, press, proofDialog } from "./settings-screen.ts";

// The server sends the same headers as in every installation; any error or warning in the console fails a test.

const EVERYTHING = [
  "Entities: &copy; &amp; &CounterClockwiseContourIntegral; &#x1F600;",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "```ts\nconst answer: number = 42;\n```",
  "\\(x^2\\) and\n\n$$\n\\frac{a}{b}\n$$",
].join("\n\n");

async function openAndLeave(opener: Locator, overlay: Locator): Promise<void> {
  await opener.click();
  await expect(overlay).toBeVisible();
  await opener.page().keyboard.press("Escape");
  await expect(overlay).toBeHidden();
}

test.describe("G5 the content security policy blocks nothing and logs nothing", () => {
  test("entities, tables, code and maths render under the content security policy, and survive a reload", async ({
    chat,
    page,
    provider,
  }) => {
    await chat.open();
    for (const reply of [EVERYTHING, `<p>As HTML &copy; &NotEqualTilde;</p><table><tr><td>1</td></tr></table>`]) {
      provider.reply = reply;
      await chat.ask("Show me everything");
    }
    await page.reload();
    await expect(chat.messages.nth(1).getByText("© & ∳ 😀")).toBeVisible();
    await expect(chat.messages.nth(1).locator(".katex").first()).toBeVisible();
    await expect(chat.messages.nth(1).locator("figure pre span span").first()).toBeVisible();
    await expect(chat.messages.nth(3).getByRole("cell")).toHaveText("1");
  });

  test("every overlay of the chats opens under the content security policy @every-screen", async ({ chat, page }) => {
    const connected = page.waitForResponse((answer) => answer.url().includes(conversationPaths.events) && answer.ok());
    await chat.open(await chat.prepare("A question", "An answer\n\n```js\ncode();\n```"));
    await openAndLeave(chat.modelMenu, page.getByRole("listbox").or(page.getByRole("menu")));
    const sidebar = await chat.sidebar();
    await openAndLeave(sidebar.locator("[aria-haspopup=menu]").last(), page.getByRole("menu"));
    await sidebar.getByRole("listitem").filter({ hasText: "A question" }).hover();
    await openAndLeave(press(sidebar, "More actions for A question"), page.getByRole("menu"));
    await chat.leaveSidebar();
    await chat.box.fill("Not sent");
    await openAndLeave(press(page.getByRole("main"), "Logout"), page.getByRole("alertdialog"));
    // A page that follows the events shows the deletion by another client.
    await connected;
    await notification(chat);
  });

  test.describe("the settings", () => {
    test.use({ expectedErrors: [failedRequest(403)] });

    test("every overlay of the settings opens under the content security policy @proof", async ({
      page,
      account,
      parley: { app },
    }) => {
      await letProofLapse(app, account);
      await page.goto("/chat");
      await openSettings(page, "Account");
      await openAndLeave(press(page, "Delete account…"), page.getByRole("dialog"));
      await openSection(page, "account");
      await page.getByLabel("Username", { exact: true }).fill(`renamed${account.user.username}`);
      await openAndLeave(press(page, "Save username"), proofDialog(page));
      await openSection(page, "security");
      await press(page, "Change password").click();
      await page.getByLabel("New password", { exact: true }).fill("password1");
      await expect(page.getByText("This password is on lists of common passwords")).toBeVisible();
    });
  });
});

async function notification(chat: ChatScreen): Promise<void> {
  const { id } = (await chat.history())[0] ?? { id: "" };
  await chat.call("DELETE", `/chat/${id}`);
  await expect(chat.page.getByRole("region", { name: "Notifications" }).getByText("was deleted")).toBeVisible();
}
