import type { Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { ListedToolGroup } from "#contract/conversation/tools.ts";
import { API_BASE } from "#contract/http.ts";
import { scriptCalls, shopCall } from "../testing/tools/script-calls.ts";
import { expect, test } from "./shop.ts";

/** Hides or shows the page, as another tab in front of it does. */
const showPage = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

test("a tool is switched on and its call is allowed by keyboard, and the chat is marked while it waits", async ({
  chat,
  page,
  letBuy,
  bought,
}) => {
  letBuy("ladder");
  await chat.open();
  await chat.box.focus();
  await page.getByRole("button", { name: "Tools" }).focus();
  await page.keyboard.press("Enter");
  const shop = page.getByRole("menuitemcheckbox", { name: "shop" });
  await expect(shop).toBeVisible();
  await page.keyboard.press("End");
  await expect(shop).toBeFocused();
  await page.keyboard.press("Space");
  await expect(shop).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Tools · 1: shop" })).toBeFocused();

  await chat.send("Buy me a ladder");
  const card = page.getByRole("group", { name: "The assistant wants to use buy" });
  await expect(card).toContainText("ladder");
  const entry = (await chat.sidebar()).getByRole("link", { name: /Waits for you/ });
  await expect(entry).toBeVisible();
  await showPage(page, "hidden");
  await expect(page).toHaveTitle(/^\(1\) /);
  await showPage(page, "visible");
  await expect(page).not.toHaveTitle(/^\(1\) /);
  expect(bought()).toEqual([]);

  const once = card.getByRole("button", { name: "Allow once" });
  const isFocused = () => once.evaluate((button) => button === document.activeElement);
  await expect(chat.box).toBeFocused();
  for (let step = 0; step < 15 && !(await isFocused()); step += 1) await page.keyboard.press("Shift+Tab");
  await expect(once).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.answer("Bought.")).toBeVisible();
  expect(bought()).toEqual(["ladder"]);
  await expect(card).toBeHidden();
  // The card is removed before the page has joined the reply, whose line then takes the focus.
  await expect(page.getByRole("button", { name: /^Worked in 1 step/ })).toBeFocused();
  await expect(entry).toBeHidden();
});

const wiki = (at: number): ListedToolGroup => ({
  slug: `wiki-${at}`,
  server: {
    ...{ id: `w${at}`, name: `Wiki ${at}`, host: "wiki.example", isOwn: false, state: "ready", leftOut: 0 },
    tools: Array.from({ length: 60 }, (_, each) => ({ name: `change_page_${each}`, effect: "change" })),
  },
});

test("a server with many tools is read about and switched on by keyboard, with its words and its buttons in view", async ({
  chat,
  page,
}) => {
  const groups = [1, 2, 3].map(wiki);
  await page.route(`**${API_BASE}${conversationPaths.tools}`, (route) => route.fulfill({ json: { groups } }));
  await chat.open();
  await page.getByRole("button", { name: "Tools" }).focus();
  await page.keyboard.press("Enter");
  const box = page.getByRole("checkbox", { name: "Wiki 2" });
  await expect(page.getByRole("checkbox", { name: "Wiki 1" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(box).toBeFocused();
  await page.keyboard.press("Space");
  const explanation = page.getByRole("group", { name: "Switch on Wiki 2?" });
  const switchOn = explanation.getByRole("button", { name: "Switch on" });
  await expect(switchOn).toBeFocused();
  await expect(switchOn).toBeInViewport({ ratio: 1 });
  await expect(explanation.getByText("Switch on Wiki 2?")).toBeInViewport({ ratio: 1 });
  await expect(explanation).toHaveAccessibleDescription(/It receives what the assistant writes for a call/);
  await page.keyboard.press("Enter");
  await expect(box).toBeFocused();
  await expect(box).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Tools · 1: Wiki 2" })).toBeFocused();
});

test("a form of a running call is filled in by keyboard, and the focus goes to the line of calls after it", async ({
  chat,
  page,
  provider,
  shop,
}) => {
  shop.reset();
  const given: unknown[] = [];
  shop.find = async (_, { watch }) => {
    const fields = [
      { name: "height", kind: "integer", title: "Height", isRequired: true } as const,
      { name: "isLight", kind: "boolean", title: "Light", description: "Of aluminium.", isRequired: true } as const,
    ];
    const answers = await watch?.ask([{ key: "f", message: "Which ladder?", fields }]);
    given.push(answers?.forms[0]?.values);
    return { text: "One is here." };
  };
  scriptCalls(provider, [[shopCall("look_up", "ladder")]], "Found.");
  const { id } = await chat.call<Chat>("POST", conversationPaths.chats, { tools: ["shop"] });
  await chat.open(id);
  await chat.send("Which ladders are there?");
  const height = page.getByRole("textbox", { name: "Height" });
  await height.focus();
  await page.keyboard.type("high");
  await page.keyboard.press("Enter");
  await expect(height).toBeFocused();
  await expect(height).toHaveAccessibleDescription("Please enter a number, without separators of thousands.");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("3");
  await page.keyboard.press("Tab");
  const isLight = page.getByRole("checkbox", { name: "Light" });
  await expect(isLight).toBeFocused();
  await expect(isLight).toHaveAccessibleDescription("Of aluminium.");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send answers" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.answer("Found.")).toBeVisible();
  expect(given).toEqual([{ height: 3, isLight: true }]);
  await expect(page.getByRole("button", { name: /^Worked in 1 step/ })).toBeFocused();
});
