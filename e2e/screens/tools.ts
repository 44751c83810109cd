import type { Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { scriptCalls, shopCall } from "../../testing/tools/script-calls.ts";
import type { ChatScene } from "./chats.ts";
import type { Screens } from "./walk.ts";

const card = (page: Page) => page.getByRole("group", { name: "The assistant wants to use buy" });
const worked = (page: Page) => page.getByRole("button", { name: /^Worked in 1 step/ });

/** On a server with the tools of a shop. */
export const tools: Screens<ChatScene> = {
  "menu of tools": {
    open: "/chat",
    reach: async ({ chat, page }) => {
      await chat.box.focus();
      await page.getByRole("button", { name: "Tools" }).click();
    },
    shows: (page) => page.getByRole("menuitemcheckbox", { name: "shop" }),
  },
  "call that asks for a decision, in a chat that the list marks": {
    before: async ({ chat, provider, ids }) => {
      scriptCalls(provider, [[shopCall("buy", "ladder")]], "Bought.");
      ids.shopping = (await chat.call<Chat>("POST", conversationPaths.chats, { tools: ["shop"] })).id;
    },
    open: "/chat?c=:shopping",
    reach: ({ chat }) => chat.send("Buy me a ladder"),
    shows: card,
  },
  "result of a call": {
    reach: async ({ page }) => {
      await card(page).getByRole("button", { name: "Allow once" }).click();
      await worked(page).click();
    },
    shows: (page) => page.getByRole("list", { name: "Calls of tools" }),
  },
};
