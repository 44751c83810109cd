import type { Page } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { NewPreset } from "#contract/conversation/preset-calls.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { openSection, part, press } from "./settings-screen.ts";

const CLAUDE = "CLAUDE:claude-sonnet-4-5-20250929";
const poet: NewPreset = { name: "Poet", instructions: "Answer in rhymes.", model: CLAUDE, temperature: 0.3 };
const critic: NewPreset = { name: "Critic", instructions: "Find the flaws.", model: null, temperature: null };

const menu = (page: Page) => page.getByRole("button", { name: /^Preset/ });
const chosen = (page: Page, name: string) => page.getByRole("button", { name: `Preset: ${name}`, exact: true });
const add = (chat: ChatScreen, preset: NewPreset) => chat.call<Preset>("POST", conversationPaths.presets, preset);
const lines = (page: Page) => part(page, "Presets").getByRole("listitem");

test("instructions save automatically, are restored by Undo and reach the model @proof", {
  tag: "@every-screen",
}, async ({ page, chat, parley }) => {
  await openSection(page, "chat");
  const field = part(page, "Your instructions").getByRole("textbox");
  await field.fill("Call me Ada.");
  await field.blur();
  await expect(part(page, "Your instructions").getByText("Saved")).toBeVisible();
  await field.fill("Call me Augusta.");
  await field.blur();
  await press(page, "Undo").click();
  await expect(field).toHaveValue("Call me Ada.");
  await expect(part(page, "Your instructions").getByText("Saved")).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue("Call me Ada.");
  await chat.open();
  await chat.ask("Who am I?");
  expect(parley.provider.chats.at(-1)?.system).toContain("Call me Ada.");
});

test("a preset is created, sorted, edited, duplicated, deleted and restored by keyboard alone", {
  tag: "@every-screen",
}, async ({ page, chat }) => {
  await add(chat, critic);
  await openSection(page, "chat");
  await press(page, "New preset").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New preset" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Name is required").first()).toBeVisible();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Poet");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Answer in rhymes.");
  await dialog.getByLabel("Model", { exact: true }).selectOption({ label: "gpt-5-mini" });
  await dialog.getByLabel("Custom").press("Space");
  await dialog.getByLabel("Temperature from 0 to 2").fill("0.3");
  await expect(dialog.getByText("This model does not accept a temperature")).toBeVisible();
  await dialog.getByLabel("Name").press("Enter");
  await expect(dialog).toBeHidden();
  await expect(lines(page)).toHaveText([/Critic/, /Poet.*gpt-5-mini · Temperature 0.3/]);

  await press(page, "Edit Poet").press("Alt+ArrowUp");
  await expect(lines(page)).toHaveText([/Poet/, /Critic/]);
  await expect(page.getByText("Poet is now number 1 of 2.")).toBeVisible();
  await expect(press(page, "Edit Poet")).toBeFocused();

  await press(page, "More actions for Poet").press("Enter");
  await page.getByRole("menuitem", { name: "Duplicate" }).press("Enter");
  await expect(lines(page)).toHaveText([/Poet/, /Poet \(copy\)/, /Critic/]);

  await press(page, "More actions for Critic").press("Enter");
  await page
    .getByRole("menu", { name: "More actions for Critic" })
    .getByRole("menuitem", { name: "Delete" })
    .press("Enter");
  await expect(lines(page)).toHaveCount(2);
  await press(page, "Undo").press("Enter");
  await expect(lines(page)).toHaveText([/Poet/, /Poet \(copy\)/, /Critic/]);
  await expect(press(page, "Edit Critic")).toBeFocused();
  await page.reload();
  await expect(lines(page)).toHaveText([/Poet/, /Poet \(copy\)/, /Critic/]);
});

test("a preset is selected by menu and by shortcut, sets its model, and appears in another tab", {
  tag: "@every-screen",
}, async ({ page, chat, parley, context }) => {
  await add(chat, poet);
  await add(chat, critic);
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.open(id);
  // On a phone, the composer at rest has one line without the presets.
  await chat.box.focus();
  await menu(page).click();
  await expect(page.getByRole("menuitemradio")).toHaveText([/No preset/, /Poet/, /Critic/]);
  await page.getByRole("menuitemradio", { name: /Poet/ }).click();
  await expect(chosen(page, "Poet")).toBeVisible();
  await expect(chat.modelMenu).toHaveText(/Claude Sonnet 4.5/);
  await chat.ask("A poem, please");
  const asked = parley.provider.chats.at(-1);
  expect([asked?.system.includes("Answer in rhymes."), asked?.body.temperature]).toEqual([true, 0.3]);
  expect(asked?.model).toBe("claude-sonnet-4-5-20250929");

  const other = await context.newPage();
  await other.goto(`/chat?c=${id}`);
  await other.getByPlaceholder("Message ChatGPT...").focus();
  await expect(chosen(other, "Poet")).toBeVisible();
  await expect(other.getByRole("button", { name: /^Model: Claude Sonnet 4.5/ })).toBeVisible();

  await chat.box.press("Alt+Digit2");
  await expect(chosen(page, "Critic")).toBeVisible();
  await expect(chat.box).toBeFocused();
  await expect(chat.box).toHaveValue("");
  await expect(chosen(other, "Critic")).toBeVisible();
  await expect(other.getByRole("button", { name: "Model: Automatic" })).toBeVisible();
  await chat.box.press("Alt+Digit9");
  await expect(chosen(page, "Critic")).toBeVisible();
  await chat.box.press("Alt+Digit0");
  await expect(chosen(page, "Critic")).toBeHidden();
  await expect(chosen(other, "Critic")).toBeHidden();
  await chat.ask("And now?");
  expect(parley.provider.chats.at(-1)?.system).not.toContain("Find the flaws.");
});

test("a preset is created over the chat and chosen for it; leaving the form loses nothing @proof", {
  tag: "@every-screen",
}, async ({ page, chat, parley }) => {
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.open(id);
  await chat.box.fill("A poem, please");
  const dialog = page.getByRole("dialog", { name: "New preset" });
  const name = dialog.getByLabel("Name", { exact: true });
  const open = async () => {
    await menu(page).press("Enter");
    await page.getByRole("menuitem", { name: "New preset…", exact: true }).press("Enter");
    await expect(name).toBeFocused();
  };
  await open();
  await name.fill("Poet");
  await page.keyboard.press("Escape");
  await expect(menu(page)).toBeFocused();
  await open();
  await expect(name).toHaveValue("Poet");
  await press(dialog, "Cancel").click();
  await expect(menu(page)).toBeFocused();
  await expect(chat.box).toHaveValue("A poem, please");

  await open();
  await expect(name).toHaveValue("");
  await name.fill("Poet");
  await dialog.getByLabel("Instructions", { exact: true }).fill("Answer in rhymes.");
  await name.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(chosen(page, "Poet")).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${id}`);
  await expect(chat.box).toHaveValue("A poem, please");
  await chat.sendButton.click();
  await expect.poll(() => parley.provider.chats.at(-1)?.system).toContain("Answer in rhymes.");
  // On a phone, the composer at rest has one line without the presets.
  await chat.box.focus();
  await menu(page).click();
  await expect(page.getByRole("menuitemradio")).toHaveText([/No preset/, /Poet/]);
  await expect(page.getByRole("menuitem")).toHaveText(["New preset…", "Manage presets…"]);
});

test("the chat page requests the presets once the events are live, and earlier only if these are late @proof", async ({
  page,
  chat,
}) => {
  const reads = { early: 0, live: 0 };
  let isLive = false;
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.endsWith(conversationPaths.events)) isLive = true;
  });
  page.on("request", (request) => {
    if (request.method() !== "GET" || !new URL(request.url()).pathname.endsWith(conversationPaths.presets)) return;
    reads[isLive ? "live" : "early"] += 1;
  });
  await add(chat, critic);
  await chat.open(await chat.prepare("Hello", "Hello yourself"));
  await menu(page).click();
  await expect(page.getByRole("menuitemradio")).toHaveText([/No preset/, /Critic/]);
  // The connection sends its initial events before the event of a change.
  await add(chat, poet);
  await expect(page.getByRole("menuitemradio")).toHaveText([/No preset/, /Critic/, /Poet/]);
  expect(reads.live).toBe(1);
  expect(reads.early).toBeLessThanOrEqual(1);
});

test("a new chat starts with the preset that was selected for it @proof", async ({ page, chat, parley }) => {
  await add(chat, poet);
  await chat.open();
  await expect(menu(page)).toBeVisible();
  await chat.keysAreThere();
  await chat.box.press("Alt+Digit1");
  await expect(chosen(page, "Poet")).toBeVisible();
  await chat.ask("A poem, please");
  expect(parley.provider.chats.at(-1)?.system).toContain("Answer in rhymes.");
  await page.reload();
  await expect(chosen(page, "Poet")).toBeVisible();
});

test("a chat's own instructions are marked, edited and reach the model", { tag: "@every-screen" }, async ({
  page,
  chat,
  parley,
}) => {
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.open(id);
  const mark = press(page, "This chat has its own instructions");
  const dialog = page.getByRole("dialog", { name: "Instructions for this chat" });
  await page
    .getByRole("main")
    .getByRole("button", { name: /^More actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Instructions…" }).press("Enter");
  await dialog.getByRole("textbox").fill("Be brief.");
  await press(dialog, "Save").press("Enter");
  await expect(dialog).toBeHidden();
  // On a phone, the composer at rest has one line without the mark.
  await chat.box.focus();
  await mark.press("Enter");
  await expect(dialog.getByRole("textbox")).toHaveValue("Be brief.");
  await dialog.getByRole("textbox").fill("Be long.");
  await press(dialog, "Save").press("Enter");
  await expect(dialog).toBeHidden();
  await chat.ask("Well?");
  expect(parley.provider.chats.at(-1)?.system).toContain("Be long.");
  await mark.click();
  await dialog.getByRole("textbox").fill("");
  await press(dialog, "Save").click();
  await expect(mark).toBeHidden();
});

test.describe("a phone", () => {
  test.skip(({ isMobile }) => !isMobile, "the desktop is wide enough");

  test("presets with long names fit on a phone @phone", async ({ page, chat }) => {
    await add(chat, { ...poet, name: "A poet with a name that is longer than any phone is wide" });
    const id = await chat.prepare("Hello", "Hello yourself");
    await chat.call("PATCH", conversationPaths.chat(id), { instructions: "Be brief." });
    await chat.open(id);
    await chat.box.click();
    await menu(page).click();
    await page.getByRole("menuitemradio", { name: /A poet/ }).click();
    await expect(chosen(page, "A poet with a name that is longer than any phone is wide")).toBeVisible();
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(await isWide()).toBe(false);
    await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
    await openSection(page, "chat");
    await expect(lines(page)).toHaveCount(1);
    // A touch screen has no Alt key.
    await expect(page.getByText("By keyboard: Alt and their number.")).toBeHidden();
    expect(await isWide()).toBe(false);
  });
});
