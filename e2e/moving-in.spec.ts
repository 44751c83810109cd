import type { Page } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY } from "#contract/limits.ts";
import { removeDeleted } from "../server/chats/delete-chats.ts";
import type { TestAccount } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { canvasPng } from "../testing/files/canvas-pictures.ts";
import { chatgptChat } from "../web/testing/chatgpt-files.ts";
import { zipOf } from "../web/testing/zip-files.ts";
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

const titles = ["Apples", "Bees", "Clover"];

/** An archive of chats of about 390 kB each, in whose first question is a picture. */
function archive(): { name: string; mimeType: string; buffer: Buffer } {
  const answers = Array.from({ length: 10 }, (_, at) => [`Question ${at}`, "Words ".repeat(6500)] as const);
  const chats = titles.map((title) => {
    const question = `What is on this picture of ${title}?`;
    const picture = { content_type: "image_asset_pointer", asset_pointer: `file-service://file-${title}` };
    return JSON.stringify(chatgptChat({ id: title, title, turns: [[question, "A plant."], ...answers] })).replace(
      JSON.stringify({ content_type: "text", parts: [question] }),
      JSON.stringify({ content_type: "multimodal_text", parts: [picture, question] }),
    );
  });
  const pictures = titles.map((title) => [`file-${title}-view.png`, canvasPng] as const);
  const entries = { "conversations.json": `[${chats.join(",")}]`, ...Object.fromEntries(pictures) };
  return { name: "export.zip", mimeType: "application/zip", buffer: Buffer.from(zipOf(entries)) };
}

/** Returns the number of files of an account that messages name, and of all others. */
async function countFiles({ context: { database } }: TestApp, { user }: TestAccount): Promise<[number, number]> {
  const rows = await database.selectFrom("files").select("is_sent").where("user_id", "=", user.id).execute();
  return [rows.filter(({ is_sent }) => is_sent === 1).length, rows.filter(({ is_sent }) => is_sent === 0).length];
}

test("an import that reaches the quota keeps what fits, reports the rest, and adds it once there is room", async ({
  account,
  chat,
  page,
  parley: { app },
}) => {
  await app.context.database.updateTable("users").set({ quota_mb: 1 }).where("id", "=", account.user.id).execute();
  await openSection(page, "data");
  const section = part(page, "Import");
  const importAll = async () => {
    await page.locator('input[type="file"]').setInputFiles(archive());
    await press(section, "Import 3 chats").click();
    await expect(section.getByRole("heading", { name: "The import is finished" })).toBeFocused();
    const numbers = await fates(page);
    const total = numbers.pop();
    expect(numbers.reduce((sum, each) => sum + each, 0)).toBe(total);
  };
  const countOf = (label: string) => section.locator("dt", { hasText: label }).locator("+ dd");
  await importAll();
  await expect(countOf("Imported chats")).toHaveText("2");
  await expect(section.getByRole("listitem").filter({ hasText: "Clover" })).toHaveText(
    "Clover: it does not fit into the storage",
  );
  expect((await chat.history()).map(({ title }) => title).sort()).toEqual(["Apples", "Bees"]);
  expect(await countFiles(app, account)).toEqual([2, 0]);

  const apples = (await chat.history()).find(({ title }) => title === "Apples");
  await app.call("DELETE", conversationPaths.chat(apples?.id ?? ""), account);
  // Its bytes are given back when its deletion cannot be undone any more.
  await removeDeleted(app.context, Date.now() + DAY, new AbortController().signal);
  await press(section, "Import another file").click();
  await importAll();
  await expect(countOf("Imported chats")).toHaveText("1");
  await expect(countOf("Chats that were here already")).toHaveText("1");
  await expect(countOf("Chats that you deleted here before")).toHaveText("1");
  expect((await chat.history()).map(({ title }) => title).sort()).toEqual(["Bees", "Clover"]);
  expect(await countFiles(app, account)).toEqual([2, 0]);
  const clover = (await chat.history()).find(({ title }) => title === "Clover");
  await chat.open(clover?.id);
  await expect(page.getByRole("button", { name: "Enlarge picture" })).toBeVisible();
});

test("an empty list of chats leads to the import @phone", async ({ chat, page }) => {
  await chat.open();
  await (await chat.sidebar()).getByRole("link", { name: "Import your history." }).click();
  await expect(part(page, "Import").getByRole("heading", { name: "Import", exact: true })).toBeFocused();
});
