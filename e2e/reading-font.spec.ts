import type { Locator, Page } from "@playwright/test";
import { SECOND } from "#contract/limits.ts";
import { expect, test } from "./chat-screen.ts";
import { watchShifts } from "./layout-shifts.ts";

const SERIF = /^"Source Serif 4 Variable"/;
const INTER = /^"Inter Variable"/;
const FILES = /\/source-serif-4-[^/]*\.woff2$/;

/** A paragraph that breaks into many lines, with bold words. */
const LATIN = `${"The **oceans** stretch along that line, and the Earth turns beneath them. ".repeat(12)}\n\nBelow it.`;

/** Records the files of the typeface that the page loads: their names and sizes. */
function watchFiles(page: Page): { name: string; bytes: Promise<number> }[] {
  const files: { name: string; bytes: Promise<number> }[] = [];
  page.on("response", (response) => {
    const name = /source-serif-4-(\S+)-wght-(\w+)/.exec(response.url());
    if (name) files.push({ name: `${name[1]} ${name[2]}`, bytes: response.body().then(({ length }) => length) });
  });
  return files;
}

/** Holds all requests for the typeface until the returned function is called. */
async function holdFiles(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(FILES, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Lets the page wait longer than its second for the typeface: on a busy machine a second may pass before `release`. */
async function waitLonger(page: Page): Promise<void> {
  await page.addInitScript((patienceMs) => {
    const { setTimeout } = window;
    const longer = (act: TimerHandler, ms?: number, ...rest: unknown[]) =>
      setTimeout(act, ms === patienceMs ? 20 * patienceMs : ms, ...rest);
    Object.assign(window, { setTimeout: longer });
  }, SECOND);
}

const words = (page: Page) => page.locator("main [data-words] .reply p");

test("the typeface of answers loads with the first answer, and moves nothing", async ({ chat, page, provider }) => {
  const files = watchFiles(page);
  const shifts = await watchShifts(page);
  await waitLonger(page);
  await page.goto("/accessibility");
  await chat.open();
  await chat.keysAreThere();
  expect(files).toEqual([]);

  provider.reply = LATIN;
  await chat.ask("How do the tides work?");
  await expect(words(page).last()).toHaveText("Below it.");
  await expect(words(page).last()).toHaveCSS("font-family", SERIF);
  expect(await page.evaluate(() => document.fonts.check('650 1em "Source Serif 4 Variable"'))).toBe(true);
  expect(files.map(({ name }) => name)).toEqual(["latin normal"]);
  expect(await files[0]?.bytes).toBeLessThan(60_000);
  expect(await shifts()).toEqual([]);
});

test("a chat opens in its typeface even if that loads slowly, and nothing moves", async ({ chat, page }) => {
  const id = await chat.prepare("In Russian?", `${LATIN} *Italic.*\n\nЛуна *притягивает* Землю.`);
  const files = watchFiles(page);
  const shifts = await watchShifts(page);
  await waitLonger(page);
  const release = await holdFiles(page);
  await chat.open(id);
  await expect(words(page).first()).toBeHidden();
  release();
  await expect(words(page).first()).toBeVisible();
  await expect(words(page).first()).toHaveCSS("font-family", SERIF);
  expect(files.map(({ name }) => name).sort()).toEqual([
    ...["cyrillic italic", "cyrillic normal", "latin italic", "latin normal"],
  ]);
  expect(await shifts()).toEqual([]);
});

test("a typeface that arrives after its text applies to the next chat that is opened", async ({ chat, page }) => {
  const other = await chat.prepare("The other", "Other words.");
  const id = await chat.prepare("The first", LATIN);
  const shifts = await watchShifts(page);
  const release = await holdFiles(page);
  await chat.open(id);
  await expect(words(page).first()).toBeVisible();
  await expect(words(page).first()).toHaveCSS("font-family", INTER);
  release();
  await expect.poll(() => page.evaluate(() => document.fonts.check('1em "Source Serif 4 Variable"'))).toBe(true);
  await expect(words(page).first()).toHaveCSS("font-family", INTER);
  expect(await shifts()).toEqual([]);
  await chat.choose("The other");
  await expect(page).toHaveURL(new RegExp(other));
  await expect(words(page).filter({ hasText: "Other words." })).toHaveCSS("font-family", SERIF);
});

test("an answer in another script stays in Inter and loads no other typeface", async ({ chat, page }) => {
  const id = await chat.prepare("日本語で", "JavaScript の `Date` を渡してください。海はその方向に伸びます。");
  await chat.open();
  const files = watchFiles(page);
  await chat.choose("日本語で");
  await expect(page).toHaveURL(new RegExp(id));
  await expect(words(page)).toHaveCSS("font-family", INTER);
  expect(files).toEqual([]);
});

/** Returns how many characters the lines of a paragraph have, except its last line. */
const lineLengths = (paragraph: Locator) =>
  paragraph.evaluate((element) => {
    const text = element.textContent;
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const tops: number[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let index = 0; index < (node.nodeValue ?? "").length; index += 1) {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        tops.push(Math.round((range.getBoundingClientRect().bottom - element.getBoundingClientRect().top) / 8));
      }
    }
    const lengths = [...Map.groupBy([...text], (_, index) => tops[index]).values()].map(({ length }) => length);
    return lengths.slice(0, -1);
  });

for (const typeface of ["serif", "sans"] as const) {
  test(`a line of prose has 68 to 76 characters in ${typeface}; a table may be wider${typeface === "sans" ? " @proof" : ""}`, async ({
    chat,
    page,
    isMobile,
  }) => {
    test.skip(isMobile, "a phone is narrower than the line");
    const cells = "| a long cell of a table ".repeat(5);
    const id = await chat.prepare("Lines?", `${LATIN}\n\n${cells}|\n${"|-".repeat(5)}|\n${cells}|`);
    await waitLonger(page);
    await page.addInitScript(
      (typeface) => localStorage.setItem("parley.appearance", JSON.stringify({ typeface })),
      typeface,
    );
    await chat.open(id);
    await expect(words(page).first()).toHaveCSS("font-family", typeface === "serif" ? SERIF : INTER);
    const lengths = await lineLengths(words(page).first());
    expect(lengths.length).toBeGreaterThan(8);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(mean).toBeGreaterThan(66);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(78);
    const table = await page.locator("main [data-words] .reply-table").boundingBox();
    const prose = await words(page).first().boundingBox();
    expect(table?.width).toBeGreaterThan((prose?.width ?? 0) + 40);
  });
}
