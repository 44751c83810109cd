import type { Page } from "@playwright/test";
import { SECOND } from "#contract/limits.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { clipboardText } from "./clipboard.ts";
import { holdTimers } from "./held-timers.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search your chats" });
const field = (page: Page) => dialog(page).getByRole("combobox", { name: "Search" });
const option = (page: Page, name: string | RegExp) => dialog(page).getByRole("option", { name });
const active = (page: Page) => dialog(page).getByRole("option", { selected: true });

/** Opens the palette by its shortcut, types, and waits until the wanted option is active. */
async function find(page: Page, words: string, wanted: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(words);
  await expect(active(page)).toHaveAccessibleName(wanted);
}

async function act(page: Page, words: string, wanted: string | RegExp): Promise<void> {
  await find(page, words, wanted);
  await page.keyboard.press("Enter");
}

/** Runs a command that cannot simply be undone: Enter does not run it until an arrow key selected it. */
async function actDrastic(page: Page, words: string, wanted: RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(words);
  await expect(option(page, wanted)).toHaveAttribute("aria-selected", "false");
  await page.keyboard.press("Home");
  await expect(active(page)).toHaveAccessibleName(wanted);
  await page.keyboard.press("Enter");
}

const placeOf = async (chat: ChatScreen, id: string) =>
  (await chat.call<{ id: string; isPinned?: boolean }[]>("GET", "/chat-history")).find((each) => each.id === id);

test("the palette shows the commands and the latest chats, and filters them by the typed text", {
  tag: "@every-screen",
}, async ({ chat, page }) => {
  const other = await chat.prepare("Lighthouses of the north", "They shine.");
  const id = await chat.prepare("How do tides work?", "The moon pulls.");
  await chat.open(id);
  await expect(chat.answer("The moon pulls.")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  for (const name of [/^New chat/, /Lighthouses of the north/, /^Copy the last answer/, /^Log out/]) {
    await expect(option(page, name)).toBeAttached();
  }
  // Commands that cannot run now are not listed.
  for (const name of [/^Stop/, /^Unpin/, /^Unarchive/, /^Choose a preset/, /How do tides work/]) {
    await expect(option(page, name)).toHaveCount(0);
  }
  await page.keyboard.type("CHAT PÍN");
  await expect(active(page)).toHaveAccessibleName(/^Pin this chat/);
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeHidden();
  await expect.poll(async () => (await placeOf(chat, id))?.isPinned).toBe(true);

  await page.keyboard.press("Control+k");
  await field(page).fill("shine");
  await expect(option(page, /They shine/)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press("Control+k");
  await option(page, /Lighthouses of the north/).click();
  await expect(page).toHaveURL(`/chat?c=${other}`);
  await expect(chat.answer("They shine.")).toBeVisible();
});

test("the palette runs commands by keyboard alone, and the focus is never lost", async ({ chat, page, context }) => {
  await context.grantPermissions(["clipboard-write"]);
  await chat.call("POST", "/presets", { name: "Poet", instructions: "Rhymes.", model: null, temperature: null });
  const id = await chat.prepare("How do tides work?", "The moon pulls.");
  await chat.prepare("Lighthouses of the north", "They shine.");
  // The notification of the copy closes after this time.
  await holdTimers(page, 4 * SECOND);
  await chat.open(id);
  await expect(chat.answer("The moon pulls.")).toBeVisible();
  await expect(chat.box).toBeFocused();

  await act(page, "copy", /^Copy the last answer/);
  await expect(page.getByText("The last answer was copied.")).toBeVisible();
  expect(await clipboardText(page)).toBe("The moon pulls.");
  await expect(chat.box).toBeFocused();

  await act(page, "choose a mo", /^Choose a model/);
  await expect(field(page)).toBeFocused();
  await expect(active(page)).toHaveAccessibleName(/^Automatic\s*Selected$/);
  await page.keyboard.press("Backspace");
  // Returns to the previous query and its option.
  await expect(field(page)).toHaveValue("choose a mo");
  await expect(active(page)).toHaveAccessibleName(/^Choose a model/);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await act(page, "5 nano", "Choose a model: gpt-5-nano");
  await expect(chat.modelMenu).toHaveAccessibleName("Model: gpt-5-nano");
  await act(page, "poet", "Choose a preset: Poet");
  await expect(page.getByRole("button", { name: "Preset: Poet" })).toBeVisible();
  await expect(chat.box).toBeFocused();

  await act(page, "rename", /^Rename this chat/);
  await expect(page.getByRole("dialog", { name: "Rename chat" }).getByRole("textbox")).toBeFocused();
  await page.keyboard.type("Tides");
  await page.keyboard.press("Enter");
  await expect(chat.entry("Tides")).toBeVisible();
  await expect(chat.box).toBeFocused();

  await actDrastic(page, "delete", /^Delete this chat/);
  await expect(chat.entry("Tides")).toBeHidden();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(chat.entry("Tides")).toBeVisible();
  await expect(page).toHaveURL(`/chat?c=${id}`);

  await act(page, "temp", /^Temporary chat/);
  await expect(page.getByRole("heading", { name: "Temporary chat" })).toBeVisible();
  await find(page, "chat", /^New chat/);
  await expect(option(page, /this chat/)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await actDrastic(page, "log out", /^Log out/);
  await expect(page).toHaveURL("/login");
});

test("the palette selects an option by keys, and opens a chat or a message @proof", async ({ chat, page }) => {
  const one = await chat.prepare("Kittiwakes on a ledge", "They build with mud.");
  const other = await chat.prepare("Fulmars on a ledge", "They do not build.");
  await chat.open();
  await expect(chat.entry("Kittiwakes")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(active(page)).toHaveAccessibleName(/^New chat/);
  await page.keyboard.press("End");
  await expect(active(page)).toHaveAccessibleName(/^Log out/);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(active(page)).toHaveAccessibleName(/Fulmars/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/chat?c=${other}`);
  await expect(chat.box).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("mud");
  await expect(active(page)).toHaveAccessibleName(/They build with mud/);
  await page.keyboard.press("Enter");
  await expect(chat.answer("They build with mud.")).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${one}`);
});

test("the palette opens on the settings pages, with the commands that can run there", async ({ chat, page }) => {
  const id = await chat.prepare("Kittiwakes on a ledge", "They build with mud.");
  await page.goto("/settings/data");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Data");
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await expect(option(page, /this chat|last answer|Choose a model/)).toHaveCount(0);
  await page.keyboard.type("appear");
  await expect(active(page)).toHaveAccessibleName(/^Appearance/);
  await page.keyboard.press("Enter");
  await expect(heading).toHaveText("Appearance");
  await act(page, "dark", /Dark$/);
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();

  // In a field a character is typed; elsewhere it is a shortcut.
  await page.goto("/settings/account");
  await page.getByLabel("Username").fill("?");
  await page.getByLabel("Username").press("?");
  await expect(page.getByLabel("Username")).toHaveValue("??");
  await page.getByLabel("Username").blur();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();

  await page.goto("/settings/data");
  await expect(heading).toHaveText("Data");
  await act(page, "mud", /They build with mud/);
  await expect(page).toHaveURL(`/chat?c=${id}`);
  await expect(chat.answer("They build with mud.")).toBeFocused();
});
