import { expect, test } from "./chat-screen.ts";

test("each New chat creates a chat, on top, current and with the focus in its box", async ({ chat, page }) => {
  await chat.open(await chat.prepare("An old question", "An old answer"));
  const sidebar = await chat.sidebar();
  const button = sidebar.getByRole("button", { name: "New chat", exact: true });
  for (let count = 2; count <= 3; count += 1) {
    await button.click();
    await expect(sidebar.getByRole("link")).toHaveCount(count);
    await expect(sidebar.getByRole("link").first()).toHaveAttribute("aria-current", "page");
    await expect(chat.welcome).toBeVisible();
    await expect(chat.box).toBeFocused();
  }
  const [newest, second] = await chat.history();
  expect(newest?.id).not.toBe(second?.id);
  await expect(page).toHaveURL(`/chat?c=${newest?.id}`);
});

test.describe("the interface in German", () => {
  test.use({ locale: "de-DE" });

  test("a chat without a title is named in the language of the interface @proof", async ({ chat, page }) => {
    const { id } = await chat.call<{ id: string }>("POST", "/chat");
    await page.goto(`/chat?c=${id}`);
    const list = page.getByRole("navigation", { name: "Chats" });
    await expect(list.getByRole("link", { name: "Neuer Chat" })).toHaveAttribute("aria-current", "page");
    await expect(list.getByRole("button", { name: /Neuer Chat.? löschen/ })).toBeAttached();
    await expect(page).toHaveTitle(/^Neuer Chat/);
    await expect(page.getByText("New chat")).toHaveCount(0);
  });
});
