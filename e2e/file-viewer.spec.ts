import type { Locator, Page } from "@playwright/test";
import { docxOf, epubOf, runOf, xlsxOf } from "../testing/files/documents.ts";
import { encryptedPdfOf, pdfOf, scannedPdf } from "../testing/files/pdf-files.ts";
import { attach, attachedFilesSettled, attachedRow, type ChosenFile } from "./attached-files.ts";
import { expect, test } from "./chat-screen.ts";

const pdf = (name: string, bytes: Uint8Array): ChosenFile => ({ name, type: "application/pdf", bytes });
const pages = (page: Page) => page.getByRole("dialog").getByRole("region", { name: "Pages" });
const received = (page: Page) => page.getByRole("dialog").getByRole("region", { name: "What models receive" });

/** Returns the part of a drawn page's pixels that are dark; 0 while it is not drawn. */
const darkPart = (drawn: Locator): Promise<number> =>
  drawn.locator("canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return 0;
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d");
    context?.drawImage(canvas, 0, 0);
    const { data = new Uint8ClampedArray() } = context?.getImageData(0, 0, copy.width, copy.height) ?? {};
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128 && data[at + 3] === 255) dark++;
    return dark / (copy.width * copy.height);
  });

test("a PDF is read before and after it is sent: its pages, and what models receive of each @phone", async ({
  chat,
  page,
  isMobile,
}) => {
  await chat.open();
  await attach(page, pdf("report.pdf", pdfOf("The first page", "", "The third page")));
  await attachedFilesSettled(page);
  const opener = attachedRow(page).getByRole("button", { name: "Open report.pdf" });
  await opener.click();
  const first = pages(page).getByRole("img", { name: "Page 1 of 3" });
  await expect.poll(() => darkPart(first)).toBeGreaterThan(0);
  await page.keyboard.press("End");
  await expect.poll(() => darkPart(pages(page).getByRole("img", { name: "Page 3 of 3" }))).toBeGreaterThan(0);
  if (isMobile) await page.getByRole("button", { name: "What models receive" }).click();
  await expect(received(page)).toContainText("The third page");
  await expect(received(page)).toContainText("No text on this page");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(opener).toBeFocused();
  await chat.ask("What is this?");
  await chat
    .question("What is this?")
    .getByRole("button", { name: /^report\.pdf PDF/ })
    .click();
  await expect.poll(() => darkPart(first)).toBeGreaterThan(0);
});

test("a scan is drawn without WebAssembly, and models are said to receive no text of it", async ({ chat, page }) => {
  await chat.open();
  await attach(page, pdf("scan.pdf", scannedPdf()));
  await attachedFilesSettled(page);
  await attachedRow(page).getByRole("button", { name: "Open scan.pdf" }).click();
  const drawn = pages(page).getByRole("img", { name: "Page 1 of 1" });
  await expect.poll(() => darkPart(drawn)).toBeGreaterThan(0.15);
  const proportion = await drawn
    .locator("canvas")
    .evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.height);
  expect(proportion).toBeCloseTo(792 / 612, 2);
  await expect(received(page)).toContainText("No readable text: the pages are pictures");
});

test("an encrypted PDF is refused with a sentence; sheets and documents show their text", async ({ chat, page }) => {
  await chat.open();
  await attach(
    page,
    pdf("secret.pdf", encryptedPdfOf("Secret", "letmein")),
    {
      name: "sales.xlsx",
      type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      bytes: xlsxOf({
        Sales: [
          ["Year", "Net"],
          [2025, 12],
        ],
        Costs: [["Rent", 3]],
      }),
    },
    {
      name: "letter.docx",
      type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      bytes: docxOf(`<w:p>${runOf("Dear fjord")}</w:p>`),
    },
  );
  await attachedFilesSettled(page);
  const open = (name: string) =>
    attachedRow(page)
      .getByRole("button", { name: `Open ${name}` })
      .click();
  await open("secret.pdf");
  await expect(pages(page)).toContainText("A password protects this PDF");
  await page.keyboard.press("Escape");
  await open("sales.xlsx");
  await expect(received(page).getByRole("heading", { name: "Costs" })).toBeVisible();
  await expect(received(page).getByRole("cell", { name: "2025" })).toBeVisible();
  await page.keyboard.press("Escape");
  await open("letter.docx");
  await expect(received(page)).toContainText("Dear fjord");
});

test("mails, e-books and notebooks are named by their kind, and show what models receive", async ({ chat, page }) => {
  const mail = "From: a@example.com\nSubject: =?utf-8?Q?K=C3=A4se?=\n\nDear fjord";
  const cells = [{ cell_type: "code", source: "depth", outputs: [{ output_type: "stream", text: "1308" }] }];
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
  await chat.open();
  await attach(
    page,
    { name: "letter.eml", type: "message/rfc822", bytes: Buffer.from(mail) },
    { name: "novel.epub", type: "application/epub+zip", bytes: epubOf({ "a.xhtml": "<h1>One</h1><p>A dark night" }) },
    { name: "study.ipynb", type: "", bytes: Buffer.from(notebook) },
  );
  await attachedFilesSettled(page);
  for (const [name, kind, text] of [
    ["letter.eml", "Email", "Subject: Käse"],
    ["novel.epub", "E-book", "A dark night"],
    ["study.ipynb", "Jupyter notebook", "1308"],
  ] as const) {
    await attachedRow(page)
      .getByRole("button", { name: `Open ${name}` })
      .click();
    await expect(page.getByRole("dialog")).toContainText(kind);
    await expect(received(page)).toContainText(text);
    await expect(received(page)).toContainText("no pictures, no layout");
    await page.keyboard.press("Escape");
  }
});

test("a PDF of a temporary chat is drawn from the bytes of the page @proof", async ({ chat, page }) => {
  await chat.open();
  await page.goto("/chat?temporary=1");
  await attach(page, pdf("report.pdf", pdfOf("The only page")));
  await attachedFilesSettled(page);
  await attachedRow(page).getByRole("button", { name: "Open report.pdf" }).click();
  await expect.poll(() => darkPart(pages(page).getByRole("img", { name: "Page 1 of 1" }))).toBeGreaterThan(0);
  await expect(received(page)).toContainText("in a temporary chat the server reads it anew");
});
