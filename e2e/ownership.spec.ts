import { filedMailsTo } from "../testing/accounts/filed-mails.ts";
import { giveRole } from "../testing/accounts/roles.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { openAs } from "./administration-screen.ts";
import { expect, failedRequest, signIn, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { anotherBrowser, openSection, part, press, proveInDialog, title } from "./settings-screen.ts";

// Each action is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

/** The server's own address has the port 0 in tests. */
const pathOf = (link: string) => link.slice(link.indexOf("/become-owner"));

test("an owner hands over ownership, which the other person accepts from the mail @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  await openAs(page, app, account, ["owner", `people/${eve.user.id}`]);
  await expect(title(page, "Eve Polastri")).toBeVisible();
  await expectNoOverhang(page);
  await page.getByRole("combobox", { name: "Role" }).selectOption("owner");
  await page.getByRole("radio", { name: /Hand over ownership/ }).check();
  await press(page, "Offer ownership").click();
  await proveInDialog(page, account);
  await expect(page.getByRole("heading", { name: "The offer is ready" })).toBeFocused();
  await expect(part(page, "Ownership")).toContainText("ends in 7 days");
  const link = await page.locator("input[readonly]").inputValue();
  await expectNoOverhang(page);

  const [mail] = await filedMailsTo(app, eve.user.email);
  expect(mail?.text).toContain(link);
  const context = await browser.newContext({ baseURL: app.url });
  const other = await context.newPage();
  await other.goto(pathOf(link));
  await signIn(other, eve.user.username, eve.password);
  await expect(title(other, "Become an owner")).toBeVisible();
  expect(other.url()).not.toContain("key");
  // The password that was just entered is the proof.
  await press(other, "Become an owner").click();
  await expect(title(other, "You are an owner")).toBeVisible();
  await other.getByRole("link", { name: "Open the administration" }).click();
  await expect(title(other, "Overview")).toBeVisible();
  await context.close();

  await page.goto("/administration/audit");
  const record = page.getByRole("listitem").filter({ hasText: "Owner → Administrator" });
  await expect(record.first()).toContainText(account.user.username);
});

test("an offer of ownership that was withdrawn is refused @every-screen @proof", async ({
  page,
  account,
  browser,
  expectedErrors: _,
  parley: { app },
}) => {
  const eve = await signUp(app);
  await openAs(page, app, account, ["owner", `people/${eve.user.id}`]);
  await page.getByRole("combobox", { name: "Role" }).selectOption("owner");
  await press(page, "Offer ownership").click();
  await proveInDialog(page, account);
  const link = await page.locator("input[readonly]").inputValue();
  await press(page, "Withdraw").click();
  await expect(page.getByText("The offer was withdrawn.")).toBeVisible();
  await expect(page.getByRole("radio", { name: /Share ownership/ })).toBeChecked();
  const { page: other, context } = await anotherBrowser(browser, app, eve);
  await other.goto(pathOf(link));
  await press(other, "Become an owner").click();
  await expect(other.getByRole("alert")).toContainText("not valid or has expired");
  await context.close();
});

test("a person reads what administrators did to the account @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  await openSection(page, "security");
  await press(page, "By administrators").click();
  await expect(page.getByText("No administrator has changed your account")).toBeVisible();
  const boss = await signUp(app);
  await giveRole(app, boss, "owner");
  const body = { role: "manager", quotaMb: 7 };
  const { user } = account;
  await app.call("POST", "/auth/proof", { token: boss.token, body: { password: boss.password } });
  const changed = await app.call("PATCH", `/admin/accounts/${user.id}`, { token: boss.token, body });
  expect(changed.status).toBe(200);
  await press(page, "Security log").click();
  await press(page, "By administrators").click();
  await expect(page.getByRole("listitem").filter({ hasText: "Person → Manager" })).toContainText("By an owner");
  await expect(page.getByRole("listitem").filter({ hasText: "Quota in MB: none → 7" })).toBeVisible();
  await expectNoOverhang(page);
});
