import type { Page } from "@playwright/test";

/**
 * What the browser's clipboard holds as plain text. Pasted into a page without a policy, as ours may not read the
 * clipboard.
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
