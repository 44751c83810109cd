import type { Page } from "@playwright/test";

/**
 * Returns the plain text of the clipboard. It is pasted into a blank page without a policy, because the application's
 * permissions policy denies reading the clipboard.
 */
export async function clipboardText(page: Page): Promise<string> {
  const blank = await page.context().newPage();
  await blank.setContent("<textarea autofocus></textarea>");
  const box = blank.locator("textarea");
  await box.press("ControlOrMeta+V");
  const text = await box.inputValue();
  await blank.close();
  return text;
}
