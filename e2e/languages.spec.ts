import { readdirSync, readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { errorSentences } from "#contract/errors.ts";
import { validationTemplates } from "#contract/text/validation.ts";
import { expect, sendKey, test } from "./chat-screen.ts";
import { expectNoOverhang } from "./looks.ts";

const speak = (page: Page, tag: string) =>
  page.addInitScript((language) => localStorage.setItem("parley.language", language), tag);

test("in Arabic the page is mirrored, and text keeps the direction of its own language @every-screen", async ({
  chat,
  page,
}) => {
  await speak(page, "ar");
  const id = await chat.prepare("How long is the Nile?", "It is long.\n\n```ts\nconst km = 6650;\n```");
  await page.goto("/chat");
  const box = page.getByPlaceholder("رسالة إلى ChatGPT…");
  await expect(box).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  expect(await box.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  await expectNoOverhang(page);

  const sidebar = page.getByRole("navigation", { name: "المحادثات" });
  const opener = page.getByRole("button", { name: "فتح قائمة المحادثات" });
  const width = page.viewportSize()?.width ?? 0;
  const isPhone = width < 500;
  if (isPhone) await opener.click();
  await expect(sidebar).toBeVisible();
  await expect.poll(async () => Math.round(right(await sidebar.boundingBox()))).toBe(width);
  const title = sidebar.getByText("How long is the Nile?");
  expect(await title.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  // English titles in an Arabic list are aligned with the Arabic ones.
  expect(right(await textBox(title))).toBeGreaterThan(width - 48);
  await sidebar.getByRole("link", { name: "How long is the Nile?" }).click();
  await expect(page.getByText("It is long.")).toBeVisible();
  // A bubble's corners follow the side of its author, whatever the language of its text.
  const corners = await page
    .locator("[data-words]")
    .first()
    .evaluate((element) => {
      const { borderBottomLeftRadius, borderBottomRightRadius } = getComputedStyle(element);
      return [borderBottomLeftRadius, borderBottomRightRadius].map(Number.parseFloat);
    });
  expect(corners[0]).toBeLessThan(corners[1] ?? 0);

  await expect(page.getByText("const km = 6650;")).toBeVisible();
  const answer = page.getByText("It is long.");
  expect(await answer.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  const code = page.locator("pre").first();
  expect(await code.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  expect(new URL(page.url()).searchParams.get("c")).toBe(id);

  await box.fill("ما أطول نهر في العالم؟");
  await box.press(await sendKey(page));
  await expect(page.getByRole("button", { name: "إعادة التوليد", exact: true }).last()).toBeVisible();
  await expectNoOverhang(page);

  await page.goto("/settings/account");
  await expect(page.getByRole("heading", { name: "الحساب", exact: true })).toBeVisible();
  await expectNoOverhang(page);
});

for (const tag of ["en", "ar"]) {
  test(`in a list in ${tag} a long title is truncated at its own end @every-screen @proof`, async ({ chat, page }) => {
    await speak(page, tag);
    const titles = { rtl: "عنوان طويل جدًا ".repeat(9), ltr: "A title that is very long ".repeat(9) };
    for (const title of Object.values(titles)) await chat.prepare(title.slice(0, 140));
    await page.goto("/chat");
    if ((page.viewportSize()?.width ?? 0) < 500) await page.getByRole("main").getByRole("button").first().click();
    for (const [direction, title] of Object.entries(titles)) {
      const line = page.getByRole("navigation").getByText(title.slice(0, 12)).first();
      await expect(line).toBeVisible();
      const { fade, overflow } = await line.evaluate((element) => {
        const { maskImage, textOverflow } = getComputedStyle(element);
        return { fade: maskImage, overflow: textOverflow };
      });
      const isOfThePage = (direction === "rtl") === (tag === "ar");
      expect(overflow).toBe(isOfThePage ? "clip" : "ellipsis");
      expect(fade).toContain(isOfThePage ? (direction === "rtl" ? "270deg" : "90deg") : "none");
    }
  });
}

test("in Arabic the arrow keys of a menu are mirrored @proof", async ({ chat, page }) => {
  await speak(page, "ar");
  await chat.prepare("Rivers");
  await page.goto("/chat");
  await page.getByRole("button", { name: /^إجراءات أخرى لـ .*Rivers/ }).click();
  await page.getByRole("menuitem", { name: "نقل إلى مجلد" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("menuitem", { name: "مجلد جديد…" })).toBeHidden();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("menuitem", { name: "مجلد جديد…" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("menuitem", { name: "مجلد جديد…" })).toBeHidden();
});

type Texts = { [key: string]: string | Texts };
const texts = (value: string | Texts): string[] =>
  typeof value === "string" ? [value] : Object.values(value).flatMap(texts);

const readCatalogue = (path: string): Texts =>
  JSON.parse(readFileSync(new URL(`../web/locales/${path}`, import.meta.url), "utf8"));

/** Returns the English texts that differ from those of the given language. */
function englishOnly(tag: string): string[] {
  const names = readdirSync(new URL("../web/locales/en/", import.meta.url));
  const catalogues = names.map((name) => readCatalogue(`en/${name}`));
  const english = [...catalogues, errorSentences, validationTemplates].flatMap(texts);
  const own = new Set(["shell", "signed-in"].flatMap((name) => texts(readCatalogue(`${tag}/${name}.json`))));
  return english.filter((text) => !own.has(text) && !text.includes("{{"));
}

/** Returns all visible text and all attributes that are shown or read out. */
const said = (page: Page) =>
  page.evaluate(() => {
    const found = new Set<string>();
    for (const element of document.body.querySelectorAll("*")) {
      for (const name of ["aria-label", "aria-description", "data-tooltip", "placeholder", "alt"]) {
        const text = element.getAttribute(name);
        if (text) found.add(text.trim());
      }
      for (const { nodeType, textContent } of element.childNodes)
        if (nodeType === Node.TEXT_NODE && textContent?.trim()) found.add(textContent.trim());
    }
    return [...found];
  });

for (const tag of ["de", "fr", "es", "pt-BR", "ja", "zh-CN", "ar"]) {
  test(`no English is left in ${tag} @proof`, async ({ chat, page }) => {
    await speak(page, tag);
    const english = new Set(englishOnly(tag));
    const leftOver = async () => (await said(page)).filter((text) => english.has(text));
    await chat.prepare("1", "2");
    await page.goto("/chat");
    const sidebar = page.getByRole("navigation").first();
    await expect(sidebar.getByRole("link").first()).toBeVisible();
    expect(await leftOver()).toEqual([]);
    await sidebar.getByRole("link", { name: "1" }).click();
    await expect(page.getByText("2", { exact: true })).toBeVisible();
    expect(await leftOver()).toEqual([]);
    for (const section of ["account", "appearance", "chat", "models", "data", "usage", "security"]) {
      await page.goto(`/settings/${section}`);
      await expect(page.locator("html")).toHaveAttribute("lang", tag);
      await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
      await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
      expect(await leftOver()).toEqual([]);
    }
    // The time of the one event in the activity, formatted for that language.
    const { at, text } = await page
      .locator("main time")
      .last()
      .evaluate((element) => ({
        at: element.getAttribute("datetime") ?? "",
        text: element.getAttribute("data-tooltip"),
      }));
    const exact = await page.evaluate(
      ([time, language]) =>
        new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(Date.parse(time)),
      [at, tag] as const,
    );
    expect(text).toBe(exact);
    await page.evaluate(() => {
      localStorage.removeItem("access_token");
      localStorage.removeItem("user");
    });
    for (const path of ["/login", "/register", "/forgot-password", "/accessibility"]) {
      await page.goto(path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      expect(await leftOver()).toEqual([]);
    }
  });
}

type Box = { x: number; width: number } | null;
const right = (box: Box) => (box === null ? 0 : box.x + box.width);

/** Returns the box of the text itself, not of its element. */
const textBox = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, width } = range.getBoundingClientRect();
    return { x, width };
  });
