import type { Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { FormField } from "#contract/conversation/tool-forms.ts";
import type { ToolServer } from "#contract/conversation/tools.ts";
import { API_BASE } from "#contract/http.ts";
import { scriptCalls, shopCall } from "../../testing/tools/script-calls.ts";
import type { ScriptedShop } from "../../testing/tools/scripted-shop.ts";
import type { ChatScene } from "./chats.ts";
import type { Screens } from "./walk.ts";

const card = (page: Page) => page.getByRole("group", { name: "The assistant wants to use buy" });
const worked = (page: Page) => page.getByRole("button", { name: /^Worked in 1 step/ });

const wiki: ToolServer = {
  ...{ id: "w", name: "Wiki", host: "wiki.example", isOwn: false, state: "connect", leftOut: 3 },
  tools: [
    { name: "find", effect: "read" },
    { name: "wipe", effect: "change" },
  ],
};
const options = ["Wood", "Steel"].map((value) => ({ value, label: value }));
const fields: FormField[] = [
  { name: "height", kind: "integer", title: "Height", description: "In metres.", isRequired: true },
  { name: "day", kind: "text", format: "date", isRequired: false },
  { name: "isLight", kind: "boolean", title: "Light", description: "Of aluminium.", isRequired: true },
  { name: "material", kind: "choice", title: "Material", isRequired: true, options },
  { name: "extras", kind: "choices", title: "Extras", isRequired: true, minItems: 1, options },
];
const rows = Array.from({ length: 30 }, (_, row) =>
  Object.fromEntries(Array.from({ length: 12 }, (_each, column) => [`column ${column}`, `value ${row}, ${column}`])),
);

type ToolScene = ChatScene & { shop: ScriptedShop };

/** On a server with the tools of a shop. */
export const tools: Screens<ToolScene> = {
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
  "form of a call with wrong answers": {
    before: async ({ chat, provider, shop, ids }) => {
      shop.find = async (_, { watch }) => {
        await watch?.ask([{ key: "f", message: "Which ladder?", fields }]);
        return { text: "", structured: JSON.stringify(rows) };
      };
      scriptCalls(provider, [[shopCall("look_up", "ladder")]], "Found.");
      ids.asking = (await chat.call<Chat>("POST", conversationPaths.chats, { tools: ["shop"] })).id;
    },
    open: "/chat?c=:asking",
    reach: async ({ chat, page }) => {
      await chat.send("Which ladders are there?");
      await page.getByRole("button", { name: "Send answers" }).click();
    },
    shows: (page) => page.getByText("Please choose 1 or more."),
  },
  "table of a result": {
    reach: async ({ page }) => {
      await page.getByRole("button", { name: "Refuse" }).click();
      await worked(page).click();
    },
    shows: (page) => page.getByRole("table"),
  },
  "panel of tools with a server before its first use": {
    before: ({ page }) =>
      page.route(`**${API_BASE}${conversationPaths.tools}`, (route) =>
        route.fulfill({ json: { groups: [{ slug: "basics" }, { slug: "wiki", server: wiki }] } }),
      ),
    open: "/chat",
    reach: async ({ chat, page }) => {
      await chat.box.focus();
      await page.getByRole("button", { name: "Tools" }).click();
      await page.getByRole("checkbox", { name: "Wiki" }).click();
    },
    shows: (page) => page.getByRole("group", { name: "Switch on Wiki?" }),
  },
  "form of a preset with servers": {
    before: ({ chat }) =>
      chat.call("POST", conversationPaths.presets, {
        ...{ name: "Support", instructions: "Be kind.", model: null, temperature: null, tools: ["wiki", "gone"] },
      }),
    open: "/settings/chat",
    reach: ({ page }) => page.getByRole("button", { name: "Edit Support" }).click(),
    shows: (page) => page.getByText("Removed, or not for you. Answers do without it."),
  },
};
