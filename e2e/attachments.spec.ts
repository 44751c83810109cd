import { randomBytes } from "node:crypto";
import { pdfOf } from "../testing/files/pdf-files.ts";
import { pngOf, stripedPng } from "../testing/files/picture-encoders.ts";
import { attach, attachedFilesSettled, attachedRow, type ChosenFile } from "./attached-files.ts";
import { expect, test } from "./chat-screen.ts";

const file = (name: string, type: string, bytes: Uint8Array | string): ChosenFile => ({ name, type, bytes });
/** Rows of noise, each behind its filter byte. */
const noise = (width: number, height: number) =>
  pngOf(
    width,
    height,
    Buffer.concat(Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), randomBytes(3 * width)]))),
  );
const note = file("notes.md", "text/markdown", "# Fjords\n\nA fjord is a long inlet.");

test("files are attached by the button, sent with their message, and shown after a reload @every-screen", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  await chat.box.focus();
  await attach(
    page,
    file("view.png", "image/png", noise(320, 200)),
    note,
    file("report.pdf", "application/pdf", pdfOf("One", "Two")),
  );
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(3);
  await expect(attachedRow(page)).toContainText("notes.md");
  await attachedFilesSettled(page);
  await chat.ask("What is this?");
  await expect(attachedRow(page)).toBeHidden();
  const sent = JSON.stringify(provider.chats.at(-1)?.body);
  expect(sent).toContain("A fjord is a long inlet.");
  expect(sent).toMatch(/data:image\/(png|jpeg|webp);base64,/);
  const question = chat.question("What is this?");
  // The browser has encoded the picture anew, as a PNG again.
  for (const name of ["Enlarge view.png", /^notes\.md Text/, "Download report.pdf"]) {
    await expect(question.getByRole("button", { name })).toBeVisible();
  }
  await page.reload();
  await expect(question.getByRole("img", { name: "view.png" })).toBeVisible();
  await question.getByRole("button", { name: "Enlarge view.png" }).click();
  const viewer = page.getByRole("dialog", { name: "view.png" });
  await expect(viewer.getByRole("button", { name: "Zoom in" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer).toBeHidden();
  await question.getByRole("button", { name: /^notes\.md Text/ }).click();
  await expect(page.getByRole("dialog")).toContainText("A fjord is a long inlet.");
});

test("an attached file belongs to the draft through a reload, can be removed, and is restored by Undo", async ({
  chat,
  page,
}) => {
  await chat.open(await chat.prepare("Hello", "Hello yourself"));
  await chat.box.fill("With a note");
  await attach(page, note);
  await expect(attachedRow(page)).toContainText("notes.md");
  await attachedFilesSettled(page);
  await page.reload();
  await expect(chat.box).toHaveValue("With a note");
  await expect(attachedRow(page)).toContainText("notes.md");
  await page.getByRole("button", { name: "Remove notes.md" }).click();
  await expect(attachedRow(page)).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(attachedRow(page)).toContainText("notes.md");
  await chat.ask("With a note");
  await expect(chat.question("With a note")).toContainText("notes.md");
});

test("a question with a tall picture is shown from its top, and nothing moves when the picture is loaded", async ({
  chat,
  page,
  provider,
}) => {
  await chat.open(await chat.prepare("Hello", "A long answer\n\n".repeat(40)));
  provider.reply = "It is striped.\n\n".repeat(30);
  await attach(page, file("tall.png", "image/png", stripedPng(200, 600)));
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(1);
  await chat.ask("What is this?");
  const question = chat.question("What is this?");
  await expect(question.getByRole("heading", { name: "You" })).toBeInViewport({ ratio: 1 });
  await expect(question.getByRole("img", { name: "tall.png" })).toBeInViewport({ ratio: 1 });
  await expect(chat.answer("It is striped.")).toBeInViewport();
  const held = Promise.withResolvers<void>();
  await page.route("**/api/files/*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await question.getByRole("button", { name: "Enlarge tall.png" }).scrollIntoViewIfNeeded();
  const positions = () => Promise.all([question.boundingBox(), chat.answer("It is striped.").boundingBox()]);
  const before = await positions();
  await expect(question.getByRole("img", { name: "tall.png" })).toHaveCount(0);
  held.resolve();
  await expect(question.getByRole("img", { name: "tall.png" })).toBeVisible();
  expect(await positions()).toEqual(before);
});

test.describe("files that cannot be attached", () => {
  test.use({ expectedErrors: [/415/] });

  test("files that cannot be attached are named in one message, and take no place @phone", async ({ chat, page }) => {
    await chat.open();
    const program = file("program.exe", "application/octet-stream", Buffer.from("4d5a900003000000", "hex"));
    const large = file("large.txt", "text/plain", Buffer.alloc(21_000_000, "words "));
    const texts = Array.from({ length: 9 }, (_, at) => file(`note ${at}.txt`, "text/plain", `Note ${at}`));
    await attach(page, file("empty.txt", "text/plain", ""), program, large, note, ...texts);
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(10);
    const message = page.getByRole("region", { name: "Notifications" });
    await expect(message).toContainText("empty.txt: This file is empty.");
    await expect(message).toContainText("program.exe: Files of this kind cannot be attached.");
    await expect(message).toContainText("large.txt: over 20 MB");
    await expect(message.getByRole("button", { name: "Close" })).toHaveCount(1);
    await chat.box.fill("With ten files");
    await expect(chat.sendButton).toBeEnabled();
    // PostScript is text until the server looks into it.
    await page.getByRole("button", { name: "Remove note 8.txt" }).click();
    await attach(page, file("drawing.ps", "", "%!PS-Adobe-3.0\n"));
    await expect(message).toContainText("drawing.ps: Files of this kind cannot be attached.");
    await expect(attachedRow(page).getByRole("listitem")).toHaveCount(9);
  });
});

test("files are attached by dropping them on the chat and by pasting them @proof", async ({ chat, page }) => {
  await chat.open();
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.txt", { type: "text/plain" }));
    return data;
  }, "Dropped words");
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  await expect(page.getByText("Drop files to attach them")).toBeVisible();
  await page.dispatchEvent("main", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
  await expect(attachedRow(page)).toContainText("dropped.txt");
  await expect(page.getByText("Drop files to attach them")).toBeHidden();
  await chat.box.evaluate((box) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["Pasted words"], "pasted.txt", { type: "text/plain" }));
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(attachedRow(page)).toContainText("pasted.txt");
});

test.describe("an upload", () => {
  test.use({ expectedErrors: [/ERR_(INTERNET_DISCONNECTED|NETWORK)|404/] });

  test("an upload goes on after the network was lost", async ({ chat, page, context }) => {
    await chat.open();
    // The code for files is loaded with the first one.
    await attach(page, file("first.txt", "text/plain", "First"));
    await expect(attachedRow(page)).toContainText("first.txt");
    await context.setOffline(true);
    await attach(page, note);
    await expect(attachedRow(page)).toContainText("notes.md");
    await chat.send("After the loss");
    await expect(page.getByRole("status").filter({ hasText: "Waiting for a connection" })).toBeVisible();
    await context.setOffline(false);
    await expect(chat.question("After the loss")).toContainText("notes.md");
  });
});
