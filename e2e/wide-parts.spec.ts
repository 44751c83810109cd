import { expect, expectMainUnscrollable, test } from "./chat-screen.ts";
import { clipboardText } from "./clipboard.ts";

test.afterEach(({ page }) => expectMainUnscrollable(page));

test("a formula that is too wide scrolls, and copied text contains its TeX @every-screen", async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-write"]);
  const wide = Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join(" + ");
  const reply = `First $E=mc^2$ here.\n\n$$\n${wide}\n$$\n\n$$\nz\n$$\n\nLast words.`;
  await chat.open(await chat.prepare("Formulas", reply));
  const words = chat.messages.last().locator("[data-words]");
  const formula = words.getByRole("group", { name: "Formula" });
  await expect(formula).toHaveCount(1);
  await formula.focus();
  for (let times = 0; times < 5; times += 1) await page.keyboard.press("ArrowRight");
  await expect.poll(() => formula.evaluate((box) => box.scrollLeft)).toBeGreaterThan(50);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await words.evaluate((all) => getSelection()?.selectAllChildren(all));
  await page.keyboard.press("ControlOrMeta+c");
  const copied = await clipboardText(page);
  expect(copied.trim().split(/\n+/)).toEqual([
    "First $E=mc^2$ here.",
    "$$",
    wide,
    "$$",
    "$$",
    "z",
    "$$",
    "Last words.",
  ]);
  await words.locator(".katex .mord").first().selectText();
  await page.keyboard.press("ControlOrMeta+c");
  expect((await clipboardText(page)).trim()).toBe("$E=mc^2$");
});

test("a footnote of a long answer scrolls the messages, never the page around them @every-screen", async ({ chat }) => {
  const filler = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.\n\n`).join("");
  await chat.open(await chat.prepare("At length", `Words[^1].\n\n${filler}[^1]: The note.`));
  const reference = chat.messages.last().locator("sup a");
  await reference.click();
  await expect(chat.messages.last().getByText("The note.")).toBeInViewport();
  await expect(chat.modelMenu).toBeInViewport({ ratio: 1 });
  await chat.messages.last().getByRole("link", { name: /back/i }).click();
  await expect(reference).toBeInViewport();
  await expect(chat.box).toBeInViewport({ ratio: 1 });
});

test("the header of a long table stays visible while its rows are read", async ({ chat, page }) => {
  const rows = Array.from({ length: 60 }, (_, at) => `| ${at} | words |`).join("\n");
  await chat.open(await chat.prepare("A table", `| Number | What |\n| --- | --- |\n${rows}\n\nThe end.`));
  await expect(page.getByText("The end.")).toBeInViewport();
  const head = chat.messages.last().getByRole("columnheader", { name: "Number" });
  await page.getByRole("cell", { name: "40", exact: true }).scrollIntoViewIfNeeded();
  await expect(head).toBeInViewport({ ratio: 1 });
  const box = page.getByRole("region", { name: "Conversation" });
  const apart = await head.evaluate((cell) => cell.getBoundingClientRect().top);
  expect(Math.round(apart - (await box.evaluate((view) => view.getBoundingClientRect().top)))).toBe(0);
});
