import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { expectNoOverhang } from "./looks.ts";
import { expect, test } from "./shop.ts";

test("a tap allows a tool in its chat, also for the next call, and the list marks the chat while it waits", async ({
  chat,
  page,
  letBuy,
  bought,
}) => {
  letBuy("a ladder that is long enough for the highest shelf", "rope");
  const { id } = await chat.call<Chat>("POST", conversationPaths.chats, { tools: ["shop"] });
  await chat.open(id);
  await chat.send("Buy me a ladder and a rope");
  const card = page.getByRole("group", { name: "The assistant wants to use buy" });
  await expect(card).toContainText("the highest shelf");
  await expectNoOverhang(page);
  await expect((await chat.sidebar()).getByRole("link", { name: /Waits for you/ })).toBeVisible();
  await chat.leaveSidebar();
  const allow = card.getByRole("button", { name: "Allow in this chat" });
  expect((await allow.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await allow.tap();
  await expect(chat.answer("Bought.")).toBeVisible();
  await expect(card).toBeHidden();
  expect(bought()).toHaveLength(2);
  await expect((await chat.sidebar()).getByRole("link", { name: /Waits for you/ })).toBeHidden();
});
