import { expect, test } from "./chat-screen.ts";

test("New chat opens the existing empty chat again, at the top and with the focus in its box", async ({
  chat,
  page,
}) => {
  await chat.open(await chat.prepare("An old question", "An old answer"));
  const sidebar = await chat.sidebar();
  const button = sidebar.getByRole("button", { name: "New chat", exact: true });
  await button.click();
  await expect(chat.welcome).toBeVisible();
  const [empty] = await chat.history();
  await chat.choose("An old question");
  await expect(chat.question("An old question")).toBeVisible();
  await chat.append((await chat.history())[1]?.id ?? "", "user", "A newer question");
  for (let times = 0; times < 2; times += 1) {
    await button.click();
    await expect(page).toHaveURL(`/chat?c=${empty?.id}`);
    await expect(chat.box).toBeFocused();
  }
  const ids = (await chat.history()).map(({ id }) => id);
  expect([ids.length, ids[0]]).toEqual([2, empty?.id]);
  await expect(sidebar.getByRole("link").first()).toHaveAttribute("aria-current", "page");
  // A chat with a draft is not reused.
  await chat.box.fill("A thought");
  await button.click();
  await expect(page).not.toHaveURL(`/chat?c=${empty?.id}`);
  await expect.poll(async () => (await chat.history()).length).toBe(3);
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
