import type { Page } from "@playwright/test";
import { pdfOf } from "../testing/files/pdf-files.ts";
import { pngOf } from "../testing/files/picture-encoders.ts";
import type { ScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { attach, attachedFilesSettled, attachedRow, type ChosenFile } from "./attached-files.ts";
import { type ChatScreen, expect, test } from "./chat-screen.ts";

const switchOf = (page: Page) => page.getByRole("button", { name: "Temporary chat", exact: true });
const file = (name: string, type: string, bytes: Uint8Array | string): ChosenFile => ({ name, type, bytes });
const note = file("notes.md", "text/markdown", "# Fjords\n\nA fjord is a long inlet.");
const line = Buffer.concat([Buffer.of(0), Buffer.alloc(3 * 64, 0x80)]);
const picture = file("view.png", "image/png", pngOf(64, 64, Buffer.concat(Array.from({ length: 64 }, () => line))));

/** Sends a question of a temporary chat and waits for the whole answer. */
async function ask(chat: ChatScreen, provider: ScriptedProvider, text: string): Promise<void> {
  provider.reply = `About: ${text}`;
  await chat.send(text);
  await expect(chat.answer(`About: ${text}`)).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
}

async function begin(chat: ChatScreen, page: Page): Promise<void> {
  await chat.open();
  await switchOf(page).click();
  await expect(page.getByRole("heading", { name: "Temporary chat" })).toBeVisible();
}

/** Returns the names and sizes of the records in all databases of the browser, and its local storage. */
const storageOf = (page: Page) =>
  page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = "" } of await indexedDB.databases()) {
      const opened = indexedDB.open(name);
      await new Promise((resolve) => opened.addEventListener("success", resolve));
      for (const store of opened.result.objectStoreNames) {
        const keys = opened.result.transaction(store).objectStore(store).getAllKeys();
        await new Promise((resolve) => keys.addEventListener("success", resolve));
        all.push(keys.result);
      }
      opened.result.close();
    }
    return JSON.stringify(all);
  });

test("files of a temporary chat are sent with each question, shown, and stored nowhere @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/files/")) uploads.push(`${request.method()} ${request.url()}`);
  });
  await begin(chat, page);
  await attach(page, picture, note, file("report.pdf", "application/pdf", pdfOf("One", "Two")));
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(3);
  await expect(attachedRow(page).getByText("Preparing…")).toHaveCount(0);
  await ask(chat, provider, "What is this?");
  await expect(attachedRow(page)).toBeHidden();
  const first = JSON.stringify(provider.chats.at(-1)?.body);
  expect(first).toContain("A fjord is a long inlet.");
  expect(first).toMatch(/data:image\/(png|jpeg|webp);base64,/);
  const question = chat.question("What is this?");
  await expect(question.getByRole("img", { name: /view/ })).toBeVisible();
  await expect(question).toContainText("notes.md");
  await question.getByRole("button", { name: /^notes\.md/ }).click();
  await expect(page.getByRole("dialog", { name: "notes.md" })).toContainText("A fjord is a long inlet.");
  await page.keyboard.press("Escape");
  const downloading = page.waitForEvent("download");
  await question.getByRole("button", { name: "Download notes.md" }).click();
  expect((await downloading).suggestedFilename()).toBe("notes.md");
  await question.getByRole("button", { name: /Enlarge view/ }).click();
  const viewer = page.getByRole("dialog", { name: /view/ });
  await viewer.getByRole("button", { name: "Zoom in" }).click();
  await page.keyboard.press("Escape");
  await expect(viewer).toBeHidden();
  await ask(chat, provider, "And how long is it?");
  const second = JSON.stringify(provider.chats.at(-1)?.body);
  expect(second).toContain("A fjord is a long inlet.");
  expect(second).toMatch(/data:image\/(png|jpeg|webp);base64,/);
  expect(await storageOf(page)).not.toMatch(/notes|view|report/);
  expect(uploads).toEqual([]);
  await page.reload();
  await expect(chat.messages).toHaveCount(0);
});

test("a draft takes its files into a temporary chat and back, and Save keeps those of the chat @proof", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.box.fill("What is this?");
  await attach(page, note);
  await expect(attachedRow(page)).toContainText("notes.md");
  await attachedFilesSettled(page);
  await switchOf(page).click();
  await expect(chat.box).toHaveValue("What is this?");
  await expect(attachedRow(page)).toContainText("notes.md");
  await switchOf(page).click();
  await expect(chat.welcome).toBeVisible();
  await expect(attachedRow(page)).toContainText("notes.md");
  await switchOf(page).click();
  await expect(attachedRow(page)).toContainText("notes.md");
  await attach(page, picture);
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(2);
  await ask(chat, provider, "What is this?");
  await page.getByRole("button", { name: "Save this chat" }).click();
  await expect(page).toHaveURL(/\/chat\?c=/);
  await page.reload();
  const question = chat.question("What is this?");
  await expect(question.getByRole("img", { name: /view/ })).toBeVisible();
  await question.getByRole("button", { name: /^notes\.md Text/ }).click();
  await expect(page.getByRole("dialog")).toContainText("A fjord is a long inlet.");
  await page.keyboard.press("Escape");
  await chat.ask("And further?");
  expect(JSON.stringify(provider.chats.at(-1)?.body)).toContain("A fjord is a long inlet.");
});

test.describe("files that cannot be sent", () => {
  test.use({ expectedErrors: [/415/] });

  test("a file of a temporary chat that the server refuses leaves the box with the reason, the others stay @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await begin(chat, page);
    await chat.box.fill("What is this?");
    await attach(page, note, file("drawing.ps", "", "%!PS-Adobe-3.0\n"));
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(2);
    await chat.box.press("Enter");
    await expect(page.getByText(/drawing\.ps: Files of this kind cannot be attached\./)).toBeVisible();
    await expect(chat.box).toHaveValue("What is this?");
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(1);
    await ask(chat, provider, "What is this?");
    await expect(chat.question("What is this?")).toContainText("notes.md");
  });

  test("files of a temporary chat that are too large together are refused before they are sent @proof", async ({
    chat,
    page,
    provider,
  }) => {
    await begin(chat, page);
    const large = (name: string) => file(name, "text/plain", Buffer.alloc(11_000_000, "a line of words\n"));
    await attach(page, large("one.txt"), large("two.txt"));
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(2);
    await expect(page.getByText("The files of a temporary chat can have 20 MB in all.").first()).toBeVisible();
    await chat.box.press("Enter");
    await expect(chat.sendButton).toBeDisabled();
    expect(provider.chats).toEqual([]);
    await page.getByRole("button", { name: "Remove two.txt" }).click();
    await ask(chat, provider, "What is this?");
  });
});
