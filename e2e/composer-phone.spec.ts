import type { Page } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { animationsEnded, expectNoOverhang, expectTouchable } from "./looks.ts";

const WIDTHS = [320, 360, 390];
const LANGUAGES = ["ar", "de", "en", "es", "fr", "ja", "pt-BR", "zh-CN"];
const LONG_NAME = "A preset with a name far longer than a button of a phone";

/** In every language. */
const modelMenu = (page: Page) => page.locator(".composer-tools button:has(.lucide-chevron-down)");
const box = (page: Page) => page.getByRole("main").locator("textarea");

/** Returns the texts beside the box that are cut off. */
const cutTexts = (page: Page) =>
  page
    .locator(".composer-tools")
    .evaluate((tools) =>
      [...tools.querySelectorAll(".truncate")]
        .filter((text) => text.checkVisibility() && text.scrollWidth > text.clientWidth)
        .map(({ textContent }) => textContent),
    );

async function expectWholeName(page: Page, state: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await animationsEnded(page);
    expect(await cutTexts(page), `${state}, ${width} px`).toEqual([]);
    await expectNoOverhang(page);
    await expect(box(page), `${state}, ${width} px`).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".composer-tools button[type=submit]")).toBeInViewport({ ratio: 1 });
  }
}

/** Creates a chat with an effort and a preset of a long name. */
async function prepareChosen(chat: ChatScreen): Promise<string> {
  const preset = { name: LONG_NAME, instructions: "", model: null, temperature: null };
  const { id: presetId } = await chat.call<Preset>("POST", conversationPaths.presets, preset);
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.call("PATCH", conversationPaths.chat(id), { presetId, effort: "low" });
  return id;
}

test("the name of the model is whole beside effort, tools and preset, in every language", async ({ chat, page }) => {
  const id = await prepareChosen(chat);
  await chat.open(id);
  for (const language of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("parley.language", tag), language);
    await page.goto(`/chat?c=${id}`);
    await expect(modelMenu(page)).toBeVisible();
    await expectWholeName(page, `${language}, resting`);
    await box(page).focus();
    await expect(page.locator(".composer-tools > button")).toHaveCount(3);
    await expectWholeName(page, language);
    await box(page).blur();
  }
});

test("a long name of a model is whole too, and effort and preset are signs with a name", async ({ chat, page }) => {
  await chat.open(await prepareChosen(chat));
  await modelMenu(page).tap();
  await page.getByRole("menuitemradio", { name: "Claude Sonnet 4.5" }).tap();
  await expect(page.getByRole("menu")).toBeHidden();
  await expectWholeName(page, "resting");
  await box(page).focus();
  await expectWholeName(page, "open");
  const effort = page.getByRole("button", { name: "Thinking effort: Fast", exact: true });
  const preset = page.getByRole("button", { name: `Preset: ${LONG_NAME}`, exact: true });
  for (const sign of [effort, preset]) expect((await sign.boundingBox())?.width).toBe(44);
  await expectTouchable(page.getByRole("main"));
  await chat.box.fill("[scenario:held] Go on");
  await page.locator(".composer-tools button[type=submit]").tap();
  await chat.box.fill("And then?");
  await expect(chat.stopButton).toBeVisible();
  await expectWholeName(page, "while an answer is written");
});

test("the button to the newest message is a pill that covers no words, and is hidden behind a drawer", async ({
  chat,
  page,
}) => {
  const paragraphs = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.`).join("\n\n");
  const id = await chat.prepare("A question", paragraphs);
  await chat.open(id);
  await expect(page.getByText("Paragraph 59.")).toBeInViewport();
  const view = page.getByRole("region", { name: "Conversation" });
  const scrollUp = () => view.evaluate((element) => element.scrollBy(0, -900));
  const jump = page.getByRole("button", { name: /^Jump to newest/ });
  await scrollUp();
  await expect(jump).toBeVisible();
  await chat.append(id, "user", "From another device.");
  await expect(jump).toHaveAccessibleName("Jump to newest, 1 new");
  await animationsEnded(page);
  const pill = await jump.boundingBox();
  expect(pill?.height).toBe(44);
  expect(pill?.width).toBeGreaterThan(44);
  expect((await jump.locator("svg").boundingBox())?.width).toBe(18);
  const messages = await view.boundingBox();
  expect(pill?.y).toBeGreaterThanOrEqual((messages?.y ?? 0) + (messages?.height ?? 0));
  const warning = await page.getByText("Check important information.").boundingBox();
  expect((warning?.x ?? 0) + (warning?.width ?? 0)).toBeLessThanOrEqual(pill?.x ?? 0);
  await jump.tap();
  await expect(jump).toBeHidden();

  await chat.sidebar();
  // In the drawer, roles do not find what is behind it.
  await page.locator("main section").evaluate((element) => element.scrollBy(0, -900));
  // Attached, but not for a screen reader, which is in the drawer.
  await expect(page.locator("[aria-label='Jump to newest']")).toBeAttached();
  await expect(jump).toHaveCount(0);
});
