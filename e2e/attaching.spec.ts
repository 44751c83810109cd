/** Ways by which files reach a draft: drags from other programs, the clipboard, and a page without a network. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attach, attachedRow, type ChosenFile } from "./attached-files.ts";
import { expect, test } from "./chat-screen.ts";
import { dragOver } from "./drags.ts";

const note: ChosenFile = { name: "notes.md", type: "text/markdown", bytes: "A fjord is a long inlet." };

/** Creates files on the disk. @returns their paths */
async function filesOnDisk(...names: string[]): Promise<string[]> {
  const folder = test.info().outputPath("dragged");
  await mkdir(folder, { recursive: true });
  const paths = names.map((name) => join(folder, name));
  await Promise.all(paths.map((path) => writeFile(path, `The content of ${path}`)));
  return paths;
}

test("files of another program are dropped anywhere on the chat; more than fit and folders are named", async ({
  chat,
  page,
}) => {
  await chat.open();
  const paths = await filesOnDisk(...Array.from({ length: 30 }, (_, at) => `note ${at}.txt`));
  const drop = await dragOver(chat.welcome, { files: [...paths, test.info().outputPath("dragged")] });
  const overlay = page.getByText("Drop files to attach them");
  await expect(overlay).toBeVisible();
  await drop();
  await expect(overlay).toBeHidden();
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(10);
  await expect(attachedRow(page).getByRole("listitem").first()).toContainText("note 0.txt");
  const message = page.getByRole("region", { name: "Notifications" });
  await expect(message).toContainText(/note 10\.txt, .*note 19\.txt, \+10: at most 10 files in a message/);
  await expect(message).toContainText("Folders cannot be attached");
});

test("a dropped link is no file, and files that nothing accepts do not replace the page", async ({ chat, page }) => {
  await chat.open();
  const [path = ""] = await filesOnDisk("note.txt");
  await dragOver(chat.box, { link: "https://example.org/" });
  await expect(page.getByText("Drop files to attach them")).toHaveCount(0);
  await page.goto("/settings/appearance");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeVisible();
  // The refusal is loaded after the page.
  const isRefused = () =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "x.txt"));
      return !document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }));
    });
  await expect.poll(isRefused).toBe(true);
  const drop = await dragOver(heading, { files: [path] });
  await drop();
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/settings\/appearance/);
  // Chromium would open the file in another tab.
  expect(page.context().pages()).toHaveLength(1);
});

test("a copied picture is pasted as a file, and cells of an office program as text", async ({ chat, page }) => {
  await chat.open();
  const paste = (text: string) =>
    chat.box.evaluate(async (box, plain) => {
      const canvas = new OffscreenCanvas(40, 30);
      canvas.getContext("2d")?.fillRect(0, 0, 20, 30);
      const picture = await canvas.convertToBlob();
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([picture], "image.png", { type: "image/png" }));
      clipboardData.setData("text/html", "<b>cells</b>");
      if (plain !== "") clipboardData.setData("text/plain", plain);
      return box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  // The browser inserts the text of a paste that is not cancelled.
  expect(await paste("a\tb")).toBe(true);
  expect(await paste("")).toBe(false);
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(1);
  await expect(attachedRow(page).getByRole("img", { name: "image.png" })).toBeVisible();
});

test.describe("a page without a network", () => {
  test.use({ expectedErrors: [/ERR_(INTERNET_DISCONNECTED|NETWORK)/] });

  test("the first files are held without a network, and attached when it is back", async ({ chat, page, context }) => {
    await chat.open();
    await context.setOffline(true);
    await attach(page, note);
    const held = page.getByText("Your files will be attached when there is a connection.");
    await expect(held).toBeVisible();
    await chat.send("What is a fjord?");
    await expect(chat.box).toHaveValue("What is a fjord?");
    await expect(chat.sendButton).toBeDisabled();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(held).toBeHidden();
    await expect(chat.sendButton).toBeEnabled();
    await attach(page, note);
    await expect(held).toBeVisible();
    await context.setOffline(false);
    await expect(attachedRow(page)).toContainText("notes.md");
    await expect(held).toBeHidden();
    await chat.ask("What is a fjord?");
    await expect(chat.question("What is a fjord?")).toContainText("notes.md");
  });
});
