import type { Locator, Page } from "@playwright/test";
import { SITE_NOTICE_PATH } from "#contract/administration/site-notice.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { expect } from "./fixtures.ts";

export const box = (page: Page) => page.getByPlaceholder("Message ChatGPT...");

/** Opens the sidebar, which is a drawer on a phone: the list of chats, with the account at its foot. */
export async function openSidebar(page: Page): Promise<Locator> {
  const opener = page.getByRole("button", { name: "Open the list of chats" });
  await expect(box(page)).toBeVisible();
  if (await opener.isVisible()) await opener.click();
  return page.getByRole("navigation", { name: "Chats" });
}

/** Waits until the chat screen has the responses to its first requests, so that a later logout cannot fail them. */
export async function chatsSettled(page: Page): Promise<void> {
  await expect(box(page)).toBeVisible();
  for (const path of [...readsOfChats, conversationPaths.presets]) await answered(page, path);
}

/** What the chat screen reads first. The presets follow once the event stream is connected, or else when it is idle. */
export const readsOfChats = [
  conversationPaths.chatHistory,
  conversationPaths.folders,
  modelPaths.models,
  SITE_NOTICE_PATH,
];

/** Waits until the page has the response to a request. @param path relative to `API_BASE` */
export async function answered(page: Page, path: string): Promise<void> {
  await expect.poll(() => hasAnswer(page, API_BASE + path)).toBe(true);
}

/** Presses the sidebar's Logout after the screen's first requests have ended; later ones would be refused. */
export async function logOut(page: Page): Promise<void> {
  await chatsSettled(page);
  const sidebar = await openSidebar(page);
  await sidebar.getByRole("button", { name: "Logout" }).click();
}

/** Opens a page of the settings from the chats, by the account menu. */
export async function openSettings(page: Page, section: "Account" | "Security") {
  const sidebar = await openSidebar(page);
  // The account menu follows the menus of the chats.
  await sidebar.locator("[aria-haspopup=menu]").last().click();
  await page.getByRole("menuitem", { name: "Settings", exact: true }).click();
  if (section !== "Account") await page.getByRole("link", { name: section, exact: true }).click();
}

const hasAnswer = (page: Page, path: string) =>
  page.evaluate(
    (wanted) => performance.getEntriesByType("resource").some(({ name }) => new URL(name).pathname === wanted),
    path,
  );
