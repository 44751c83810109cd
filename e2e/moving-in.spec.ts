import type { Page } from "@playwright/test";
import { chatgptChat } from "../web/testing/chatgpt-files.ts";
import { expect, test } from "./chat-screen.ts";
import { openSection, part, press } from "./settings-screen.ts";

const choose = (page: Page, chats: unknown) =>
  page.locator('input[type="file"]').setInputFiles({
    name: "conversations.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(chats)),
  });

/** Returns the numbers of the table of fates, the total last. */
async function fates(page: Page): Promise<number[]> {
  const cells = part(page, "Import").getByRole("table", { name: "Every entry of the file" }).getByRole("cell");
  return (await cells.allTextContents()).map(Number);
}

test("chats of ChatGPT are previewed, chosen and imported into a folder, and open with their words @every-screen", async ({
  chat,
  page,
}) => {
  await openSection(page, "data");
  await choose(page, [
    chatgptChat({
      id: "apples",
      title: "Apple trees",
      turns: [
        ["When do I prune it?", "In **late winter**."],
        ["And a cherry?", "In summer."],
      ],
    }),
    chatgptChat({ id: "bees", title: "Bees" }),
  ]);
  const section = part(page, "Import");
  await expect(section.getByRole("heading", { name: "Import from ChatGPT" })).toBeFocused();
  expect(await chat.history()).toEqual([]);
  await section.getByRole("checkbox", { name: /^Bees/ }).uncheck();
  await section.getByLabel("Folder (optional)").fill("Garden");
  await press(section, "Import 1 chat").click();
  await expect(section.getByRole("heading", { name: "The import is finished" })).toBeFocused();
  const numbers = await fates(page);
  const total = numbers.pop();
  expect(numbers.reduce((sum, each) => sum + each, 0)).toBe(total);
  expect(total).toBe(10);
  const coming = page.waitForEvent("download");
  await press(section, "Download report").click();
  expect((await coming).suggestedFilename()).toMatch(/^Import report ChatGPT \d{4}-\d\d-\d\d\.txt$/);
  const [imported] = await chat.history();
  expect(imported).toMatchObject({ title: "Apple trees" });
  await chat.open(imported?.id);
  await expect(chat.question("When do I prune it?")).toBeVisible();
  await expect(page.getByText("In late winter.")).toBeVisible();
  await expect(page.getByText("In summer.")).toBeVisible();

  await openSection(page, "data");
  await choose(page, [chatgptChat({ id: "apples", title: "Apple trees" }), chatgptChat({ id: "bees", title: "Bees" })]);
  await press(section, "Import 2 chats").click();
  await expect(section.getByText("Chats that were here already")).toBeVisible();
  expect((await chat.history()).map(({ title }) => title).sort()).toEqual(["Apple trees", "Bees"]);
});

test("an empty list of chats leads to the import @phone", async ({ chat, page }) => {
  await chat.open();
  await (await chat.sidebar()).getByRole("link", { name: "Import your history." }).click();
  await expect(part(page, "Import").getByRole("heading", { name: "Import", exact: true })).toBeFocused();
});
