import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";
import { animationsEnded, expectFocusVisible, expectNoOverhang } from "./looks.ts";
import { openSection, part, press } from "./settings-screen.ts";

const QUESTION = "One two three four";
const REPLY = `Some words, and \`code\`.

\`\`\`ts
const answer = [${"42, ".repeat(60)}42]; // long
\`\`\`
`;

const choice = (page: Page, name: string | RegExp) => page.getByRole("radio", { name });
const toggle = (page: Page, name: string) => page.getByRole("switch", { name, exact: true });
const pageColour = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const frameColour = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
        ({ media }) => window.matchMedia(media).matches,
      )?.content,
  );
const isDark = (colour: string) => Number.parseFloat(/[\d.]+/.exec(colour)?.[0] ?? "1") < 0.5;

test("a theme applies before the first paint and in every tab, and overrides the system's", async ({
  chat,
  page,
  context,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openSection(page, "appearance");
  expect([isDark(await pageColour(page)), await frameColour(page)]).toEqual([false, "#fbf9f6"]);

  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: "light" });
  await other.goto("/chat");
  await choice(page, "Dark").check();
  await expect.poll(async () => isDark(await pageColour(page))).toBe(true);
  expect(await frameColour(page)).toBe("#1b1917");
  await expect.poll(async () => isDark(await pageColour(other))).toBe(true);
  await other.close();

  // Records the theme on the root element at the moment the body appears.
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.body) return;
      document.documentElement.dataset.early = document.documentElement.dataset.theme ?? "none";
      seen.disconnect();
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await chat.open();
  await expect(page.locator("html")).toHaveAttribute("data-early", "dark");
  expect(isDark(await pageColour(page))).toBe(true);

  await openSection(page, "appearance");
  await press(page, "Reset appearance").click();
  await expect(choice(page, "System")).toBeChecked();
  await expect.poll(async () => isDark(await pageColour(page))).toBe(false);
  await press(page, "Undo").click();
  await expect(choice(page, "Dark")).toBeChecked();
});

test("the settings of reading and sending apply to every conversation", async ({ chat, page, provider }) => {
  const id = await chat.prepare(QUESTION, REPLY);
  await openSection(page, "appearance");
  const preview = page.getByRole("figure", { name: "Preview" });
  await expect(preview.locator(".reply")).toHaveCSS("font-family", /^"Source Serif 4 Variable"/);
  await choice(page, "Inter").check();
  await expect(preview.locator(".reply")).toHaveCSS("font-family", /^"Inter Variable"/);
  await choice(page, "Larger").check();
  await toggle(page, "Wrap long lines of code").check();
  await expect(preview.locator("[data-wrapped=true]")).toBeVisible();
  await choice(page, /^Ctrl\+Enter sends/).check();

  await chat.open(id);
  const answer = chat.answer("Some words");
  const words = answer.locator(".reply p");
  await expect(words).toHaveCSS("font-family", /^"Inter Variable"/);
  await expect(words).toHaveCSS("font-size", "21px");
  await expect(chat.question(QUESTION).locator("[data-words]")).toHaveCSS("font-size", "21px");
  expect(await page.evaluate(() => document.fonts.check('16px "Source Serif 4 Variable"'))).toBe(false);
  await expect(answer.locator("figure")).toHaveAttribute("data-wrapped", "true");
  await answer.getByRole("button", { name: "Wrap lines" }).click();
  await expect(answer.locator("figure")).toHaveAttribute("data-wrapped", "false");

  provider.reset();
  await chat.box.fill("First");
  await chat.box.press("Enter");
  await chat.box.pressSequentially("second");
  await expect(chat.box).toHaveValue("First\nsecond");
  await chat.box.press("Control+Enter");
  await expect(chat.question("First")).toBeVisible();
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
});

test("a default model is chosen and a model is hidden from the menu @every-screen @proof", async ({ chat, page }) => {
  await openSection(page, "models");
  const groups = page.getByRole("region").filter({ has: page.getByRole("switch") });
  await expect(groups.getByRole("heading")).toHaveText(["GPT", "Antropic"]);
  await expect(part(page, "GPT").getByRole("listitem").filter({ hasText: "gpt-5-mini" })).toContainText("$0.25 in");
  await toggle(page, "Show gpt-5-nano in menus").uncheck();
  await page.getByRole("combobox", { name: "Model for new chats" }).selectOption("gpt-5");
  await expect(toggle(page, "Show gpt-5 in menus")).toBeDisabled();
  await expectNoOverhang(page);
  await page.getByRole("link", { name: "Back to chats" }).click();
  await expect(chat.modelMenu).toHaveText("gpt-5");
  await chat.modelMenu.click();
  await expect(page.getByRole("menuitemradio", { name: "gpt-5-mini" })).toBeVisible();
  await expect(page.getByRole("menuitemradio", { name: "gpt-5-nano" })).toHaveCount(0);
});

test("high contrast follows the system, and forced colours leave selection and focus visible @proof", async ({
  chat,
  page,
}) => {
  await chat.open();
  const outline = () => page.locator(".composer").evaluate((box) => getComputedStyle(box).borderTopColor);
  await page.getByRole("button", { name: "New chat" }).focus();
  const usual = await outline();
  await page.emulateMedia({ contrast: "more" });
  await expect.poll(outline).not.toBe(usual);
  await page.emulateMedia({ contrast: null, forcedColors: "active", colorScheme: "dark" });
  const edge = (part: ReturnType<Page["locator"]>) =>
    part.evaluate((element) => {
      const { borderTopWidth, borderTopStyle, backgroundColor } = getComputedStyle(element);
      return { hasBorder: borderTopStyle !== "none" && Number.parseFloat(borderTopWidth) >= 1, backgroundColor };
    });
  const chosenChat = await chat.prepare("Chosen", "Words");
  await chat.prepare("Another", "Words");
  await chat.open(chosenChat);
  await expect(chat.entry("Chosen")).toHaveAttribute("aria-current", "page");
  await animationsEnded(page);
  expect((await edge(chat.sendButton)).hasBorder).toBe(true);
  const [chosen, another] = [await edge(chat.entry("Chosen")), await edge(chat.entry("Another"))];
  expect(chosen.backgroundColor).not.toBe(another.backgroundColor);
  await expectFocusVisible(page.locator(".composer"));

  await openSection(page, "appearance");
  expect((await edge(toggle(page, "High contrast"))).hasBorder).toBe(true);
  const off = await edge(toggle(page, "Less motion"));
  await toggle(page, "Less motion").check();
  await expect(page.locator("html")).toHaveCSS("--motion", "0s");
  await animationsEnded(page);
  expect((await edge(toggle(page, "Less motion"))).backgroundColor).not.toBe(off.backgroundColor);
  await choice(page, "Dark").focus();
  await page.keyboard.press("ArrowLeft");
  const card = page.locator("label").filter({ has: choice(page, "Light") });
  await expect(choice(page, "Light")).toBeChecked();
  await expectFocusVisible(card);
});

test("a language is chosen before the sign-in and in the settings @proof", async ({ page, account: _ }) => {
  await page.goto("/accessibility");
  await openSection(page, "appearance");
  const language = page.getByRole("combobox").first();
  await language.selectOption("العربية");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expectNoOverhang(page);
  await language.selectOption("en");
  await expect(page.locator("html")).toHaveAttribute("dir", "ltr");
  await page.evaluate(() => localStorage.removeItem("access_token"));
  await page.goto("/login");
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.getByRole("combobox").selectOption("English");
  await page.getByRole("link", { name: "Accessibility" }).click();
  await expect(page).toHaveURL("/accessibility");
});
