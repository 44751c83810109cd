import { box } from "./account-menu.ts";
import { expect, signIn, test } from "./fixtures.ts";
import {
  anotherBrowser,
  field,
  letProofLapse,
  loginTitle,
  openSection,
  press,
  proofDialog,
  prove,
  proveInDialog,
} from "./settings-screen.ts";

test.describe("deleting the account", () => {
  test.use({ expectedErrors: [/status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING/] });
  const dialog = "Delete your account";

  test("a deletion in 14 days signs out every device, and a sign-in cancels it @every-screen", async ({
    page,
    account,
    browser,
    parley: { app },
  }) => {
    const elsewhere = await anotherBrowser(browser, app, account);
    await prove(app, account);
    await openSection(page, "account");
    await press(page, "Delete account…").click();
    const asked = page.getByRole("dialog", { name: dialog });
    await expect(press(asked, "Delete in 14 days")).toBeDisabled();
    await field(asked, `Type ${account.user.username} to continue`).fill(account.user.username);
    await press(asked, "Delete in 14 days").click();
    await expect(loginTitle(page)).toBeVisible();
    const told = page.getByRole("region", { name: "Notifications" });
    await expect(told).toContainText("You are signed out. Your account will be deleted on ");
    await expect(loginTitle(elsewhere.page)).toBeVisible();
    await elsewhere.context.close();

    await signIn(page, account.user.username, account.password);
    await expect(page.getByText("Your account stays: it will not be deleted.")).toBeVisible();
    await expect(page.getByText(/will be deleted on/)).toHaveCount(0);
  });

  test("an immediate deletion prevents any sign-in, and removes the account's data from this browser @every-screen", async ({
    page,
    account,
    parley: { app },
  }) => {
    await letProofLapse(app, account);
    await page.goto("/chat");
    await box(page).fill("Words that were never sent");
    await openSection(page, "account");
    await press(page, "Delete account…").click();
    const asked = page.getByRole("dialog", { name: dialog });
    await asked.getByLabel(/^Now, for good/).check();
    const confirmation = field(asked, `Type ${account.user.username} to continue`);
    await confirmation.fill(account.user.username);
    for (const leave of [() => page.keyboard.press("Escape"), () => press(proofDialog(page), "Cancel").click()]) {
      await page.keyboard.press("Enter");
      await expect(field(proofDialog(page), "Password")).toBeFocused();
      await expect(page.locator("[role=dialog]")).toHaveCount(1);
      await leave();
      await expect(confirmation).toBeFocused();
      await expect(confirmation).toHaveValue(account.user.username);
      await expect(asked.getByLabel(/^Now, for good/)).toBeChecked();
    }
    await page.keyboard.press("Enter");
    await proveInDialog(page, account);
    await expect(loginTitle(page)).toBeVisible();
    await expect(page.getByText("Your account and everything in it have been deleted.")).toBeVisible();
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain("never sent");
    expect(stored).not.toContain(account.user.username);
    await signIn(page, account.user.username, account.password);
    await expect(page.getByRole("alert")).toHaveText("The username or password is not right.");
  });
});
