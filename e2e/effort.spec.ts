import type { Page } from "@playwright/test";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { NewPreset } from "#contract/conversation/preset-calls.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { expectNoOverhang } from "./looks.ts";
import { openSection, part, press } from "./settings-screen.ts";

const thinker: NewPreset = { name: "Thinker", instructions: "", model: "GPT:gpt-5", temperature: null, effort: "low" };

const effort = (page: Page, name: string) =>
  page.getByRole("button", { name: `Thinking effort: ${name}`, exact: true });
const anyEffort = (page: Page) => page.getByRole("button", { name: /^Thinking effort/ });
const item = (page: Page, name: string | RegExp) =>
  page.getByRole("menuitemradio", { name, exact: typeof name === "string" });
const stored = async (chat: ChatScreen, id: string) =>
  (await chat.call<Chat>("GET", conversationPaths.chat(id))).effort;

async function chooseModel(chat: ChatScreen, name: RegExp): Promise<void> {
  await chat.modelMenu.click();
  await item(chat.page, name).click();
}

test("the effort is chosen beside the model, and remembered by the chat and for new chats", {
  tag: "@every-screen",
}, async ({ page, chat }) => {
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.open(id);
  // On a phone the resting composer is one line.
  await chat.box.focus();
  await expect(effort(page, "Standard")).toBeVisible();
  // The model's own effort takes no room.
  await expect(effort(page, "Standard")).toHaveText("");
  await chooseModel(chat, /^gpt-5-mini/);
  await effort(page, "Standard").press("Enter");
  await expect(page.getByRole("menuitemradio")).toHaveText([/^Fast/, /^Standard/, /^Thorough/]);
  await expect(item(page, /^Standard/)).toBeChecked();
  await expect(item(page, /^Fast/)).toBeFocused();
  await page.keyboard.press("End");
  await expect(item(page, /^Thorough/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(effort(page, "Thorough")).toHaveText("Thorough");
  await expect(effort(page, "Thorough")).toBeFocused();
  await expect.poll(() => stored(chat, id)).toBe("high");
  await expectNoOverhang(page);
  await page.reload();
  await chat.box.focus();
  await expect(effort(page, "Thorough")).toBeVisible();

  await chat.open();
  await expect(effort(page, "Thorough")).toBeVisible();
  await chat.ask("A first question");
  await expect(effort(page, "Thorough")).toBeVisible();
  const created = new URL(page.url()).searchParams.get("c") ?? "";
  expect(await stored(chat, created)).toBe("high");

  await effort(page, "Thorough").click();
  await item(page, /^Standard/).click();
  await expect(effort(page, "Standard")).toHaveText("");
  await expect.poll(() => stored(chat, created)).toBeUndefined();
  await chat.open();
  await expect(effort(page, "Standard")).toBeVisible();
  expect(await stored(chat, id)).toBe("high");
});

test("a model without efforts shows none, and the chosen one applies again to the next model that has some @proof", {
  tag: "@every-screen",
}, async ({ page, chat }) => {
  await chat.open();
  await chat.box.focus();
  await chooseModel(chat, /^Claude Sonnet 4\.5/);
  await effort(page, "Standard").click();
  await item(page, /^Fast/).click();
  await expect(effort(page, "Fast")).toBeVisible();
  await chooseModel(chat, /^gpt-4\.1-nano/);
  await expect(anyEffort(page)).toHaveCount(0);
  await chooseModel(chat, /^gpt-5-mini/);
  await expect(effort(page, "Fast")).toHaveText("Fast");
});

test("the effort of a preset applies with the preset, and shows in another tab @proof", {
  tag: "@every-screen",
}, async ({ page, chat, context }) => {
  await openSection(page, "chat");
  await press(page, "New preset").click();
  const dialog = page.getByRole("dialog", { name: "New preset" });
  await dialog.getByLabel("Name").fill("Quick");
  await expect(dialog.getByLabel("Thinking effort")).toHaveValue("");
  await dialog.getByLabel("Model", { exact: true }).selectOption({ label: "gpt-4.1-nano" });
  await expect(dialog.getByLabel("Thinking effort")).toBeHidden();
  await dialog.getByLabel("Model", { exact: true }).selectOption({ label: "Claude Sonnet 4.5 (20250929)" });
  await dialog.getByLabel("Thinking effort").selectOption("Off");
  await dialog.getByLabel("Model", { exact: true }).selectOption({ label: "gpt-5" });
  await expect(dialog.getByText("gpt-5 has no effort “Off” and uses “Minimal”.")).toBeVisible();
  await dialog.getByLabel("Thinking effort").selectOption("Low");
  await dialog.getByLabel("Name").press("Enter");
  await expect(dialog).toBeHidden();
  await expect(part(page, "Presets").getByRole("listitem")).toHaveText([/Quick.*gpt-5 · Thinking effort: Low/]);

  const { id: preset } = await chat.call<Preset>("POST", conversationPaths.presets, thinker);
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.open(id);
  await chat.box.focus();
  await effort(page, "Standard").click();
  await item(page, /^Thorough/).click();
  const other = await context.newPage();
  await other.goto(`/chat?c=${id}`);
  await other.getByPlaceholder("Message ChatGPT...").focus();
  await expect(effort(other, "Thorough")).toBeVisible();
  await page.getByRole("button", { name: "Presets" }).click();
  await item(page, /Thinker/).click();
  await expect(effort(page, "Low")).toBeVisible();
  await expect(effort(other, "Low")).toBeVisible();
  expect(await chat.call<Chat>("GET", conversationPaths.chat(id))).toMatchObject({ presetId: preset });
  await effort(page, "Low").click();
  await expect(page.getByRole("menuitemradio")).toHaveText([
    /^Low.*From the preset/,
    /^Fast/,
    /^Standard/,
    /^Thorough/,
  ]);
  await expect(item(page, /^Low/)).toBeChecked();
});

test("the provider receives the effort that is chosen, and that of a preset", async ({ page, chat, provider }) => {
  const choose = async (before: string, name: string | RegExp) => {
    await effort(page, before).click();
    await item(page, name).click();
  };
  await chat.call<Preset>("POST", conversationPaths.presets, thinker);
  await chat.open();
  await chat.box.focus();
  await chooseModel(chat, /^gpt-5-mini/);
  await chat.ask("With its own effort");
  await choose("Standard", /^Thorough/);
  await chat.ask("With high effort");
  await chooseModel(chat, /^Claude Sonnet 4\.5/);
  await chat.ask("With the same effort");
  await choose("Thorough", /^Fast/);
  await chat.ask("Without thinking");
  await chooseModel(chat, /^gpt-5-mini/);
  await chat.ask("With the nearest effort");
  await page.getByRole("button", { name: "Presets" }).click();
  await item(page, /Thinker/).click();
  await expect(effort(page, "Low")).toBeVisible();
  await chat.ask("With the effort of the preset");
  const requests = provider.chats.map(({ model, body: { reasoning_effort: name, thinking } }) => [
    model,
    name ?? thinking,
  ]);
  expect(requests).toEqual([
    ["gpt-5-mini", undefined],
    ["gpt-5-mini", "high"],
    // Half of the limit of tokens.
    ["claude-sonnet-4-5-20250929", { type: "enabled", budget_tokens: 8192 }],
    ["claude-sonnet-4-5-20250929", undefined],
    ["gpt-5-mini", "minimal"],
    ["gpt-5", "low"],
  ]);
});

test("the palette chooses the effort @proof", async ({ page, chat }) => {
  await chat.open();
  await chat.keysAreThere();
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.type("thinking effort thorough");
  await page.getByRole("option", { name: "Choose a thinking effort: Thorough", exact: true }).click();
  await expect(effort(page, "Thorough")).toBeVisible();
});
