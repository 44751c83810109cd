import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ExportDocument, exportSchema } from "#contract/transfer/transfer.ts";
import { signUp, type TestAccount } from "../testing/accounts/sign-up.ts";
import { documentOf, exported, message } from "../testing/chats/exported-chats.ts";
import { canvasPng } from "../testing/files/canvas-pictures.ts";
import { pdfOf } from "../testing/files/pdf-files.ts";
import { attach, attachedRow } from "./attached-files.ts";
import { expect, failedRequest, test } from "./chat-screen.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, openSection, part, press, proofDialog, proveInDialog } from "./settings-screen.ts";

const fileOf = (document: unknown, name = "chats.json") => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(typeof document === "string" ? document : JSON.stringify(document)),
});

const choose = (page: Page, file: ReturnType<typeof fileOf>) => page.locator('input[type="file"]').setInputFiles(file);

async function switchTo(page: Page, { token, user }: TestAccount): Promise<void> {
  await page.evaluate(
    ([own, known]) => {
      localStorage.setItem("access_token", own);
      localStorage.setItem("user", known);
    },
    [token, JSON.stringify(user)] as const,
  );
}

async function downloaded(page: Page, act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent("download");
  await act();
  const download = await coming;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

async function pickExport(page: Page, name: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^More actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Export…", exact: true }).click();
  await page.getByRole("dialog", { name: "Export this chat" }).getByRole("button", { name }).click();
}

test.describe("L3 all chats", () => {
  test.use({ expectedErrors: [failedRequest(403)] });

  test("all chats are exported as one file after a proof, and imported into another account @every-screen", async ({
    account,
    chat,
    page,
    parley,
  }) => {
    await chat.prepare("What is a **fjord**?", "An inlet.");
    await chat.prepare("Zweite Frage", "Zweite Antwort");
    await openSection(page, "data");
    await expectNoOverhang(page);
    const { name, text } = await downloaded(page, async () => {
      await press(page, "Export all chats").click();
      await expect(field(proofDialog(page), "Password")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(press(page, "Export all chats")).toBeFocused();
      await page.keyboard.press("Enter");
      await proveInDialog(page, account);
    });
    expect(name).toMatch(/^Parley \d{4}-\d\d-\d\d\.json$/);
    const document: ExportDocument = exportSchema.parse(JSON.parse(text));
    expect(document.chats.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ["What is a **fjord**?", "An inlet."],
      ["Zweite Frage", "Zweite Antwort"],
    ]);

    const other = await signUp(parley.app);
    await switchTo(page, other);
    await openSection(page, "data");
    await choose(page, fileOf(text));
    await expect(part(page, "Import").getByText("2 chats were imported.")).toBeVisible();
    await choose(page, fileOf(text));
    await expect(part(page, "Import").getByText("No new chats. 2 existed already.")).toBeVisible();
    const history = await parley.app.call("GET", conversationPaths.chatHistory, { token: other.token });
    expect(await history.json()).toHaveLength(2);
  });
});

test.describe("a chat with files", () => {
  test.use({ expectedErrors: [failedRequest(403)] });

  test("a chat with a picture and a PDF is exported as a zip, and shown in another account @every-screen", async ({
    account,
    chat,
    page,
    parley,
  }) => {
    await chat.open();
    await chat.box.focus();
    await attach(
      page,
      { name: "view.png", type: "image/png", bytes: canvasPng },
      { name: "report.pdf", type: "application/pdf", bytes: pdfOf("One", "Two") },
    );
    const row = attachedRow(page);
    await expect(row).toContainText("2 pages");
    await expect(row.getByText(/^(Preparing|Waiting|Uploading|Reading)…$/)).toHaveCount(0);
    await chat.ask("What is this?");
    await openSection(page, "data");
    const coming = page.waitForEvent("download");
    await press(page, "Export all chats").click();
    await proveInDialog(page, account);
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^Parley \d{4}-\d\d-\d\d\.zip$/);
    const zip = { name: "export.zip", mimeType: "application/zip", buffer: await readFile(await download.path()) };
    const other = await signUp(parley.app);
    await switchTo(page, other);
    await openSection(page, "data");
    const section = part(page, "Import");
    await choose(page, { ...zip, buffer: zip.buffer.subarray(0, -40) });
    await expect(section.getByRole("alert")).toContainText("This zip file is damaged or incomplete.");
    await choose(page, zip);
    await expect(section.getByText("1 chat was imported. 2 files were uploaded.")).toBeVisible();
    const history = await parley.app.call("GET", conversationPaths.chatHistory, { token: other.token });
    const [imported] = (await history.json()) as { id: string }[];
    await chat.open(imported?.id);
    const question = chat.question("What is this?");
    const picture = question.getByRole("img", { name: /^view\./ });
    await expect(picture).toBeVisible();
    await expect(picture).toHaveJSProperty("naturalWidth", 13);
    const saving = page.waitForEvent("download");
    await question.getByRole("button", { name: "Download report.pdf" }).click();
    expect(await readFile(await (await saving).path())).toEqual(Buffer.from(pdfOf("One", "Two")));
  });
});

test("a long file is imported in several requests, and chats that cannot be imported are listed @proof", async ({
  chat,
  page,
}) => {
  await openSection(page, "data");
  const chats = Array.from({ length: 120 }, (_, at) => exported({ title: `Chat ${at}, "quoted" ]}` }));
  const broken = exported({ title: "Broken one", messages: [message({ parent: "nowhere" })] });
  const nameless = { ...exported(), title: 7 };
  // Formatted as another program may write it: indented, with the chats before the common fields.
  const { chats: all, ...head } = documentOf({ chats: [...chats, broken, nameless] });
  const requests: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(transferPaths.import)) requests.push(request.postDataBuffer()?.length ?? 0);
  });
  await choose(page, fileOf(JSON.stringify({ chats: all, ...head }, null, 2)));
  const section = part(page, "Import");
  await expect(section.getByText("120 chats were imported.")).toBeVisible();
  await expect(section.getByText("2 could not be imported:")).toBeVisible();
  await expect(section.getByRole("listitem")).toHaveText([
    "Broken one: its messages are inconsistent",
    "#122: it is damaged or in another format",
  ]);
  expect(requests.length).toBeGreaterThan(2);
  expect(await chat.history()).toHaveLength(120);
});

test("a file of another format shows an error, and changes nothing @every-screen @proof", async ({ chat, page }) => {
  await openSection(page, "data");
  const alert = part(page, "Import").getByRole("alert");
  for (const other of [[{ title: "Chat" }], { conversations: [] }, "{ half", "", "\u0000\u0001"]) {
    await choose(page, fileOf(other));
    await expect(alert).toContainText("This is not a file of exported chats.");
    await page.reload();
  }
  await choose(page, fileOf({ ...documentOf(), version: 2 }));
  await expect(alert).toContainText("This file comes from a newer version.");
  expect(await chat.history()).toEqual([]);
});

test("a chat is saved as Markdown and JSON from its menu", async ({ chat, page }) => {
  const id = await chat.prepare("What is a fjord?", "An *inlet*.");
  await chat.open(id);
  const markdown = await downloaded(page, () => pickExport(page, "Markdown"));
  expect(markdown.name).toBe("What is a fjord.md");
  expect(markdown.text).toContain("## Assistant\n");
  expect(markdown.text).toContain("\nAn *inlet*.\n");
  const json = await downloaded(page, () => pickExport(page, "JSON"));
  expect(exportSchema.parse(JSON.parse(json.text)).chats).toHaveLength(1);
});
