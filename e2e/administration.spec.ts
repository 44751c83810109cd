import { filedMailsTo } from "../testing/accounts/filed-mails.ts";
import { newPerson, signUp } from "../testing/accounts/sign-up.ts";
import { openAs } from "./administration-screen.ts";
import { expect, failedRequest, fillRegistration, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, press, proveInDialog, title } from "./settings-screen.ts";

// Each action is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

test("an owner finds a person, disables the account after a proof, and reads the record @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  await openAs(page, app, account, ["owner", "people"]);
  await expect(title(page, "People")).toBeVisible();
  await field(page, "Search people").fill(eve.user.username);
  await expect(page.getByText("1 person", { exact: true })).toBeVisible();
  await expectNoOverhang(page);
  await page.getByLabel("Select Eve Polastri").check();
  await press(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
  await proveInDialog(page, account);
  await expect(page.getByText("Done for 1 account.")).toBeVisible();
  await expect(page.getByRole("row", { name: /Eve Polastri/ })).toContainText("Disabled");
  await page.getByRole("link", { name: "Eve Polastri" }).click();
  await expect(title(page, "Eve Polastri")).toBeVisible();
  await expectNoOverhang(page);
  await page.getByRole("link", { name: "Records about this account" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Account disabled" })).toContainText(account.user.username);
  await expectNoOverhang(page);
});

test("a person registers with an invitation, and the inviter sees who it was @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  await openAs(page, app, account, ["owner", "invitations"]);
  await press(page, "Invite people").click();
  await page.getByRole("radio", { name: /Several people/ }).check();
  await page.locator("form button[type=submit]").click();
  await proveInDialog(page, account);
  const link = await page.locator("input[readonly]").inputValue();
  expect(link).toContain("/register#invitation=");

  const context = await browser.newContext({ baseURL: app.url });
  const invited = await context.newPage();
  // The server's own address has the port 0 in tests.
  await invited.goto(link.slice(link.indexOf("/register")));
  await expect(invited.getByText(/Ada Lovelace/)).toBeVisible();
  expect(invited.url()).not.toContain("invitation");
  const person = newPerson();
  await fillRegistration(invited, person);
  await invited.keyboard.press("Enter");
  await expect.poll(async () => (await filedMailsTo(app, person.email)).length).toBe(1);
  await context.close();

  await page.reload();
  await expect(page.getByText(person.username)).toBeVisible();
});

test("an account without a role gets a message instead of the administration @every-screen @proof", async ({
  page,
  account,
  parley: { app },
}) => {
  await openAs(page, app, account, ["person", "people"]);
  await expect(page.getByText("Only administrators can open this page.")).toBeVisible();
});
