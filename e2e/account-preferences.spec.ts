import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { expect, test } from "./chat-screen.ts";
import { anotherBrowser, openSection } from "./settings-screen.ts";

const root = (page: Page) => page.locator("html");

test("appearance and language follow the account to another browser, unless they stay on a device @every-screen", async ({
  account,
  browser,
  page,
  parley: { app },
}) => {
  await openSection(page, "appearance");
  await page.getByRole("radio", { name: "Dark" }).check();
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await expect(root(page)).toHaveAttribute("lang", "de");
  await expect
    .poll(async () => (await app.call("GET", accountPaths.me, { token: account.token })).json())
    .toMatchObject({ preferences: { theme: "dark", language: "de" } });

  const other = await anotherBrowser(browser, app, account);
  await expect(root(other.page)).toHaveAttribute("data-theme", "dark");
  await expect(root(other.page)).toHaveAttribute("lang", "de");

  await openSection(other.page, "appearance");
  const onlyHere = other.page.getByRole("switch", { name: "Nur auf diesem Gerät" });
  await onlyHere.check();
  await other.page.getByRole("radio", { name: "Hell" }).check();
  await other.page.reload();
  await expect(onlyHere).toBeChecked();
  await expect(root(other.page)).toHaveAttribute("data-theme", "light");
  await onlyHere.uncheck();
  await expect(root(other.page)).toHaveAttribute("data-theme", "dark");
  await other.context.close();
});
