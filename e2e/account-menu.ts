import type { Locator, Page } from "@playwright/test";
import { API_BASE, paths } from "#contract/paths.ts";
import { expect } from "./fixtures.ts";

export const box = (page: Page) => page.getByPlaceholder("Message ChatGPT...");

/** The list of chats with who is signed in at its foot; on a phone it is a drawer. */
export async function openSidebar(page: Page): Promise<Locator> {
  const opener = page.getByRole("button", { name: "Open the list of chats" });
  await expect(box(page)).toBeVisible();
  if (await opener.isVisible()) await opener.click();
  return page.getByRole("navigation", { name: "Chats" });
}

/** The chat screen is there and has the answers that it asks for at its start: nothing is left that could be refused. */
export async function chatsSettled(page: Page): Promise<void> {
  await expect(box(page)).toBeVisible();
  for (const path of [paths.chatHistory, paths.models]) {
    await expect.poll(() => hasAnswer(page, API_BASE + path)).toBe(true);
  }
}

/** Presses the sidebar's Logout, once the screen waits for nothing that the server would refuse from then on. */
export async function logOut(page: Page): Promise<void> {
  await chatsSettled(page);
  const sidebar = await openSidebar(page);
  await sidebar.getByRole("button", { name: "Logout" }).click();
}

/** From the chats into the settings, by the menu of the person. */
export async function openSettings(page: Page, entry: "Account settings" | "Security and sessions" | "Activity") {
  const sidebar = await openSidebar(page);
  // Behind those of chats.
  await sidebar.locator("[aria-haspopup=menu]").last().click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

const hasAnswer = (page: Page, path: string) =>
  page.evaluate(
    (wanted) => performance.getEntriesByType("resource").some(({ name }) => new URL(name).pathname === wanted),
    path,
  );
