import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** A file that a test chooses. `type`: media type, as the browser knows it. */
export type ChosenFile = { name: string; type: string; bytes: Uint8Array | string };

/** The files of the message box. */
export const attachedRow = (page: Page): Locator => page.locator("form").getByRole("list", { name: "Attached files" });

/** Waits until the server has read every attached file, or has refused it. */
export async function attachedFilesSettled(page: Page): Promise<void> {
  await expect(attachedRow(page).getByRole("listitem")).not.toHaveCount(0);
  await expect(attachedRow(page).getByText(/^(Preparing|Waiting|Uploading|Reading)…$/)).toHaveCount(0);
}

/** Attaches files by the button. */
export async function attach(page: Page, ...files: readonly ChosenFile[]): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  const chosen = files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: Buffer.from(bytes) }));
  await (await choosing).setFiles(chosen);
}
