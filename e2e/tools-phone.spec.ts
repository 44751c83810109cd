import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { scriptCalls, shopCall } from "../testing/tools/script-calls.ts";
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

test("a wide table of a result scrolls in its box, and nothing else becomes wider", async ({
  chat,
  page,
  provider,
  shop,
}) => {
  shop.reset();
  const row = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`column_${index}`, "a value of some words"]),
  );
  shop.find = async () => ({ text: "", structured: JSON.stringify([row, row]) });
  scriptCalls(provider, [[shopCall("look_up", "ladder")]], "Found.");
  const { id } = await chat.call<Chat>("POST", conversationPaths.chats, { tools: ["shop"] });
  await chat.open(id);
  await chat.ask("Which ladders are there?");
  await page.getByRole("button", { name: /^Worked in 1 step/ }).tap();
  const box = page.getByRole("region", { name: "Result of look_up" });
  await expect(box.getByRole("table")).toBeVisible();
  const answer = (await chat.answer("Found.").boundingBox())?.width ?? 0;
  expect((await box.boundingBox())?.width).toBeLessThanOrEqual(answer);
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth / clientWidth)).toBeGreaterThan(2);
  await expectNoOverhang(page);
});
