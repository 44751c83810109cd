import type { Page } from "@playwright/test";
import { paths } from "#contract/paths.ts";
import type { Preset } from "#contract/presets.ts";
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
  const { id: presetId } = await chat.call<Preset>("POST", paths.presets, preset);
  const id = await chat.prepare("Hello", "Hello yourself");
  await chat.call("PATCH", paths.chat(id), { presetId, effort: "low" });
  return id;
}

test("the name of the model is whole beside a chosen effort and preset, in every language", async ({ chat, page }) => {
  const id = await prepareChosen(chat);
  await chat.open(id);
  for (const language of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("parley.language", tag), language);
    await page.goto(`/chat?c=${id}`);
    await expect(modelMenu(page)).toBeVisible();
    await expectWholeName(page, `${language}, resting`);
    await box(page).focus();
    await expect(page.locator(".composer-tools > button")).toHaveCount(2);
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
  const effort = page.getByRole("button", { name: "Thinking effort: Low", exact: true });
  const preset = page.getByRole("button", { name: `Preset: ${LONG_NAME}`, exact: true });
  for (const sign of [effort, preset]) expect((await sign.boundingBox())?.width).toBe(44);
  await expectTouchable(page.getByRole("main"));
  await chat.box.fill("[scenario:held] Go on");
  await page.locator(".composer-tools button[type=submit]").tap();
  await chat.box.fill("And then?");
  await expect(chat.stopButton).toBeVisible();
  await expectWholeName(page, "while an answer is written");
});
