import type { Page } from "@playwright/test";
import { transferPaths } from "#contract/transfer/paths.ts";
import { documentOf, exported, message } from "../testing/chats/exported-chats.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";
import { importChats } from "./long-chats.ts";
import { expectNoOverhang, expectTouchable } from "./looks.ts";

const QUESTION = Array.from({ length: 30 }, (_, at) => `Line ${at + 1} of the question`).join("\n");
const ANSWER = [
  "# Euler\n\nInline $e^{i\\pi}+1=0$ and\n\n$$\\int_0^\\infty e^{-x^2}\\,dx=\\frac{\\sqrt\\pi}{2}$$",
  "```ts\nconst answer: number = 42;\n```",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "```mermaid\nflowchart LR\n  A[Asked] --> B{Known?}\n```",
  "<details><summary>More</summary>\n\nThe hidden part.\n\n</details>",
].join("\n\n");

const pageToPrint = (page: Page) => page.getByRole("dialog", { name: "Print chat" });
const ready = (page: Page) => expect(pageToPrint(page).getByRole("status")).toHaveText("Ready to print");

/** Replaces the browser's dialog: a call stores the names of the messages and what they contain at this moment. */
async function recordPrints(page: Page): Promise<() => Promise<unknown[]>> {
  await page.addInitScript(() => {
    const prints: unknown[] = [];
    Object.assign(window, { prints });
    window.print = () => {
      const count = (selector: string) => document.querySelectorAll(`[role=dialog] ${selector}`).length;
      prints.push({
        messages: count("article"),
        formulas: count(".katex-html"),
        code: count("pre [style]") > 0,
        diagrams: [...document.querySelectorAll<HTMLImageElement>("[role=dialog] article img")].map(
          ({ complete, naturalWidth }) => complete && naturalWidth > 0,
        ),
      });
    };
  });
  return () => page.evaluate(() => (window as unknown as { prints: unknown[] }).prints);
}

async function printFromMenu(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^More actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Export…", exact: true }).click();
  await page.getByRole("button", { name: "Print or PDF" }).click();
}

const open = async (chat: ChatScreen, ...contents: string[]) => {
  await chat.open(await chat.prepare(...contents));
  await expect(chat.messages).toHaveCount(contents.length);
};

test("Ctrl+P opens a page that is printed once everything is rendered @every-screen @phone", async ({
  chat,
  page,
  isMobile,
}) => {
  const prints = await recordPrints(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await open(chat, QUESTION, ANSWER);
  await page.keyboard.press("ControlOrMeta+p");
  await ready(page);
  expect(await prints()).toEqual([{ messages: 2, formulas: 2, code: true, diagrams: [true] }]);
  const paper = pageToPrint(page).getByRole("region", { name: "Preview" });
  await expect(paper.getByText("Line 30 of the question")).toBeVisible();
  await expect(paper.getByText("The hidden part.")).toBeVisible();
  await expect(paper.getByRole("img", { name: "Flowchart" })).toBeVisible();
  await expect(paper.getByRole("button")).toHaveCount(0);
  await expectNoOverhang(page);
  if (isMobile) await expectTouchable(pageToPrint(page));
  await page.keyboard.press("Escape");
  await expect(pageToPrint(page)).toBeHidden();
  if (!isMobile) await expect(chat.box).toBeFocused();
});

test("on paper is only the chat, whole and in light colours", async ({ chat, page }) => {
  await recordPrints(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await open(chat, QUESTION, ANSWER);
  await page.keyboard.press("ControlOrMeta+p");
  await ready(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const paper = pageToPrint(page).getByRole("region", { name: "Preview" });
  await expect(paper.getByText("Line 30 of the question")).toBeVisible();
  await expect(pageToPrint(page).getByRole("button", { name: "Print" })).toBeHidden();
  await expect(chat.box).toBeHidden();
  const colours = await paper.locator(".print-paper").evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor, getComputedStyle(document.body).backgroundColor];
  });
  expect(colours.slice(1)).toEqual(["rgb(255, 255, 255)", "rgb(255, 255, 255)"]);
  expect(Number.parseFloat(colours[0]?.match(/oklch\(([\d.]+)/)?.[1] ?? "1")).toBeLessThan(0.4);
  // A sheet is printed whole: nothing scrolls.
  expect(await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight)).toBe(true);
});

test("the chat's menu prints, and markup in a message is printed as it was written @every-screen @proof", async ({
  chat,
  page,
}) => {
  const prints = await recordPrints(page);
  const content = "<img src=https://evil.example/x onerror=alert(1)>";
  const chats = [exported({ messages: [message({ id: "q", content })], leaf: "q", title: "To print" })];
  await chat.call("POST", transferPaths.import, documentOf({ chats }));
  const [first] = await chat.history();
  await chat.open(first?.id);
  await printFromMenu(page);
  await ready(page);
  expect(await prints()).toHaveLength(1);
  await expect(pageToPrint(page).getByRole("heading", { level: 1, name: "To print" })).toBeVisible();
  await expect(pageToPrint(page).getByText("<img src=https://evil.example/x")).toBeVisible();
  await expect(pageToPrint(page).locator("article img")).toHaveCount(0);
  const download = page.waitForEvent("download");
  await pageToPrint(page).getByRole("button", { name: "Save as web page" }).click();
  expect((await download).suggestedFilename()).toBe("To print.html");
});

test("all messages of a long chat are printed; the browser's own print has a note of it", async ({ chat, page }) => {
  const prints = await recordPrints(page);
  const [id] = await importChats(
    chat,
    Array.from({ length: 300 }, (_, at) => `Message ${at} of **300**`),
  );
  await chat.open(id);
  await expect(chat.messages.last()).toContainText("Message 299");
  const note = page.getByText(/^Only the messages that are loaded are printed\. .* press (Ctrl\+P|⌘P)\.$/);
  await expect(note).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(note).toBeVisible();
  await expect(chat.box).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.keyboard.press("ControlOrMeta+p");
  await ready(page);
  expect(await prints()).toMatchObject([{ messages: 300 }]);
});

test("a temporary chat is printed from memory @proof", async ({ chat, page, provider }) => {
  const prints = await recordPrints(page);
  await chat.open();
  await page.getByRole("button", { name: "Temporary chat", exact: true }).click();
  provider.reply = "A quokka is a **small** wallaby.";
  await chat.send("What is a quokka?");
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.answer("A quokka is a small wallaby.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+p");
  await ready(page);
  expect(await prints()).toMatchObject([{ messages: 2 }]);
  await expect(pageToPrint(page).getByRole("heading", { level: 1, name: "Temporary chat" })).toBeVisible();
  await expect(pageToPrint(page).getByRole("button", { name: "Save as web page" })).toHaveCount(0);
});

test("without a chat, Ctrl+P is the browser's @proof", async ({ chat, page }) => {
  await chat.open();
  await chat.keysAreThere();
  await page.evaluate(() => {
    const note = ({ key, defaultPrevented }: KeyboardEvent) =>
      key === "p" && document.body.setAttribute("data-left", `${!defaultPrevented}`);
    // Added last, so that it runs after the listeners of the page.
    window.addEventListener("keydown", note);
  });
  await page.keyboard.press("ControlOrMeta+p");
  await expect(page.locator("body")).toHaveAttribute("data-left", "true");
  await expect(pageToPrint(page)).toHaveCount(0);
});
