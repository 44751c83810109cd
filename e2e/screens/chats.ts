import type { Page } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { sendInNewChat } from "../../testing/chats/budgets.ts";
import type { ScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { type ChatScreen, listIsReady } from "../chat-screen.ts";
import { expect } from "../fixtures.ts";
import { press } from "../settings-screen.ts";
import type { Scene, Screens } from "./walk.ts";

export type ChatScene = Scene & { chat: ChatScreen; provider: ScriptedProvider };

export const MODEL = "GPT:gpt-5-mini";
const words = (text: string | RegExp) => (page: Page) => page.getByText(text);
const dialog = (name: string | RegExp) => (page: Page) => page.getByRole("dialog", { name });
const item = (page: Page, name: string | RegExp) => page.getByRole("menuitemradio", { name });
const effort = (page: Page) => page.getByRole("button", { name: /^Thinking effort/ });
const search = (page: Page) => page.getByRole("combobox", { name: "Search" });
const tooltip = (page: Page) => page.getByRole("tooltip", { includeHidden: true });

async function openSearch({ chat }: ChatScene): Promise<void> {
  await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
}

/** Presets, a group with a default model, and a model that is not set up. */
async function prepareMenus({ app, chat, page, ids }: ChatScene): Promise<void> {
  await chat.call("POST", conversationPaths.presets, {
    name: "Poet",
    instructions: "Rhyme.",
    model: null,
    temperature: null,
  });
  await chat.prepare("How do lighthouses work?", "By a <b>Fresnel</b> lens that bends the light.");
  ids.recipe = await chat.prepare("A recipe with cream", "Use *light* cream.");
  await moveToGroup(app, await insertTestGroup(app, { default_model: MODEL }), chat.account);
  await page.route(`**${API_BASE}${modelPaths.models}`, async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({
      contentType: "application/json",
      body: text.replace(/"available":true/, '"available":false'),
    });
  });
}

export const menus: Screens<ChatScene> = {
  welcome: { before: prepareMenus, open: "/chat", shows: words("What would you like to talk about?") },
  "menu of models": {
    reach: async ({ chat, page }) => {
      // On a phone the composer at rest has one line.
      await chat.box.focus();
      await chat.modelMenu.click();
      await expect(page.getByText("not set up").first()).toBeVisible();
    },
    shows: (page) => item(page, /Default of your group/),
  },
  "menu of efforts": {
    reach: async ({ page }) => {
      await item(page, /^gpt-5-mini/).click();
      await effort(page).click();
      await item(page, /^Fast/).click();
      await effort(page).click();
    },
    shows: words("Thinks longer first"),
  },
  "menu of presets": {
    reach: async ({ page }) => {
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Preset/ }).click();
    },
    shows: (page) => item(page, /Poet/),
  },
  "form of a preset with errors": {
    reach: async ({ page }) => {
      await page.getByRole("menuitem", { name: "New preset…" }).click();
      const form = dialog("New preset")(page);
      await form.getByLabel("Model", { exact: true }).selectOption({ label: "Claude Sonnet 4.5 (20250929)" });
      await form.getByLabel("Thinking effort").selectOption("Off");
      await form.getByLabel("Model", { exact: true }).selectOption({ label: "gpt-5-mini" });
      await form.getByLabel("Custom").press("Space");
      await form.getByLabel("Name", { exact: true }).press("Enter");
      await expect(form.getByText("This model does not accept a temperature")).toBeVisible();
    },
    shows: words("Name is required"),
  },
  "menu of the account": {
    open: "/chat",
    reach: async ({ chat }) => (await chat.sidebar()).getByRole("button", { name: chat.account.user.username }).click(),
    shows: (page) => page.getByRole("menuitem", { name: "Keyboard shortcuts" }),
  },
  "keyboard shortcuts": {
    reach: ({ page }) => page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click(),
    shows: dialog("Keyboard shortcuts"),
  },
  palette: {
    open: "/chat",
    reach: openSearch,
    shows: (page) => page.getByRole("option", { name: /^New chat/ }),
  },
  "palette with results": {
    reach: async ({ page, isMobile }) => {
      await search(page).fill("light");
      await expect(page.getByRole("option").locator("mark").first()).toBeVisible();
      if (!isMobile) await search(page).press("Tab");
      if (!isMobile) await expect(tooltip(page)).toHaveText("Filters");
    },
    shows: (page) => page.getByRole("option", { name: /By a Fresnel lens/ }),
  },
  "palette without results": {
    reach: ({ page }) => search(page).fill("nothing like it"),
    shows: words("Nothing was found for “nothing like it”."),
  },
  "question about a draft at the logout": {
    open: "/chat?c=:recipe",
    reach: async ({ chat, page }) => {
      await chat.box.fill("Not sent yet");
      await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    },
    shows: (page) => page.getByRole("alertdialog", { name: "Log out and lose your draft?" }),
  },
  "long menu of models": {
    before: async ({ page }) => {
      const able = { images: true, tools: true, contextTokens: 131_072, price: { input: 3, output: 15 } };
      const models = Array.from({ length: 200 }, (_, at) => ({
        label: `vendor/model-${at}`,
        value: `ROUTER:model-${at}`,
        available: true,
        ...able,
      }));
      await page.route(`**${API_BASE}${modelPaths.models}`, (route) =>
        route.fulfill({ json: [{ label: "Router", models }] }),
      );
    },
    open: "/chat?c=:recipe",
    reach: ({ chat }) => chat.modelMenu.click(),
    shows: (page) => page.getByRole("option", { name: "vendor/model-3" }),
  },
  "long menu of models without a match": {
    reach: ({ page }) => page.getByRole("combobox", { name: "Search models" }).fill("nothing like it"),
    shows: words("No model has this name or connection."),
  },
};

/** A folder with a chat, a pinned one, one with an unread answer and one that is being answered. */
async function prepareList({ app, chat }: ChatScene): Promise<void> {
  const { token } = chat.account;
  const { id: folderId } = await chat.call<{ id: string }>("POST", conversationPaths.folders, { name: "Work" });
  await chat.call("PATCH", conversationPaths.chat(await chat.prepare("Filed", "An answer")), { folderId });
  await chat.call("PATCH", conversationPaths.chat(await chat.prepare("Pinned chat", "An answer")), { isPinned: true });
  for (const title of ["First", "Second"]) await chat.prepare(title, "An answer");
  const unread = await chat.prepare("Unread", "An answer");
  await chat.call("POST", conversationPaths.chatSend(unread), { message: "More, please", model: MODEL });
  await sendInNewChat(app, token, { message: "[scenario:held] Being answered", model: MODEL });
}

export const lists: Screens<ChatScene> = {
  "list without chats": {
    open: "/chat",
    reach: ({ chat }) => chat.sidebar(),
    shows: words("Your chats will be listed here."),
  },
  "list of chats": {
    before: prepareList,
    open: "/chat",
    reach: async ({ chat, page }) => {
      await chat.sidebar();
      await listIsReady(page);
      await expect(page.getByText("Unread answer").first()).toBeAttached();
      await expect(page.getByText("Answer in progress").first()).toBeAttached();
    },
    shows: (page) => page.getByRole("button", { name: "Work", exact: true }),
  },
  "menu of a chat": {
    reach: ({ chat }) => chat.openMenu("First"),
    shows: (page) => page.getByRole("menuitem", { name: "Rename" }),
  },
  "name of a chat": {
    reach: ({ page }) => page.getByRole("menuitem", { name: "Rename" }).click(),
    shows: (page) => page.getByRole("textbox", { name: "Name of the chat" }),
  },
  "selection of chats": {
    open: "/chat",
    reach: async ({ chat, page }) => {
      await chat.sidebar();
      await chat.openMenu("First");
      await page.getByRole("menuitem", { name: "Select" }).click();
      await chat.entry("Second").click();
    },
    shows: words("2 selected"),
  },
  "deleted chats": {
    reach: async ({ chat }) => (await chat.sidebar()).getByRole("button", { name: "Delete", exact: true }).click(),
    shows: (page) => press(page, "Undo"),
  },
  "rail with a tooltip": {
    open: "/chat",
    reach: async ({ chat, page }) => {
      await press(page, "Hide the list of chats").click();
      await expect(chat.entry("Unread")).toBeHidden();
      await press(page, "Show the list of chats").hover();
    },
    shows: tooltip,
    only: "desktop",
  },
  "list that cannot be loaded": {
    before: ({ page }) => page.route(/\/api\/chat-history/, (route) => route.fulfill({ status: 500, body: "" })),
    open: "/chat",
    shows: words("Your chats could not be loaded. Please reload the page."),
  },
};
