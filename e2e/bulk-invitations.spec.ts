import { filedMailsTo, mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson } from "../testing/accounts/sign-up.ts";
import { openAs } from "./administration-screen.ts";
import { clipboardText } from "./clipboard.ts";
import { expect, failedRequest, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, part, press, proveInDialog } from "./settings-screen.ts";

// The list is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

test("an owner invites a pasted list, copies its links, and an invited person registers @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  const [ada, eve] = [newPerson(), newPerson()];
  await openAs(page, app, account, ["owner", "invitations"]);
  await press(page, "Invite several").click();
  const list = [`Ada L <${ada.email}>`, "nobody", `${eve.email}, 5b`, ada.email.toUpperCase(), "tom@"];
  await field(page, "Addresses").fill(list.join("\n"));
  await expect(page.getByText("2 addresses recognised. 3 lines are left out.")).toBeVisible();
  await field(page, "Mail the link to each address").check();
  await expectNoOverhang(page);
  await press(page, "Invite 2 people").click();
  await proveInDialog(page, account);

  const report = part(page, "2 of 5 invited");
  await expect(report.getByRole("heading")).toBeFocused();
  await expect(report.getByRole("listitem")).toContainText([
    /Line 1.*Invited/,
    /Line 2nobody.*There is no address in this line/,
    /Line 3.*5bInvited/,
    /Line 4.*The address is in the list twice/,
    /Line 5tom@.*Not a valid email address/,
  ]);
  await expectNoOverhang(page);
  await press(report, "Copy links").click();
  await expect(press(report, "Copied")).toBeVisible();
  const copied = await clipboardText(page);
  const [first = "", second = ""] = copied.split("\n");
  expect([first.split("\t")[0], second.split("\t")[0]]).toEqual([ada.email, eve.email]);
  expect(await filedMailsTo(app, ada.email)).toHaveLength(1);

  const other = await browser.newContext({ baseURL: app.url });
  const invited = await other.newPage();
  // The server's own address has the port 0 in tests.
  await invited.goto(first.slice(first.indexOf("/register")));
  await expect(field(invited, "Email")).toHaveValue(ada.email);
  await field(invited, "First Name").fill(ada.firstname);
  await field(invited, "Last Name").fill(ada.lastname);
  await field(invited, "Username").fill(ada.username);
  await field(invited, "Password").fill(ada.password);
  await field(invited, "Confirm Password").fill(ada.password);
  await invited.keyboard.press("Enter");
  await expect.poll(() => mailedKey(app, ada.email).catch(() => null)).not.toBeNull();
  await other.close();

  await press(report, "Done").click();
  await expect(press(page, "Invite several")).toBeFocused();
  await expect(page.getByRole("list", { name: "Invitations" }).getByText(eve.email)).toBeVisible();
});

test("an owner invites the people of a CSV file, saves the report, and revokes all of them", async ({
  page,
  account,
  parley: { app },
}) => {
  const [ada, eve] = [newPerson(), newPerson()];
  await openAs(page, app, account, ["owner", "invitations"]);
  await press(page, "Invite several").click();
  const table = `Vorname;E-Mail;Klasse\r\n"Ada; Ä";${ada.email};5b\r\nEve;${eve.email};5b\r\n`;
  // As Excel saves texts of Unicode.
  const buffer = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, "utf16le")]);
  await page.locator('input[type="file"]').setInputFiles({ name: "class.csv", mimeType: "text/csv", buffer });
  await expect(page.getByText("2 addresses recognised.")).toBeVisible();
  await expect(page.getByText("Ada; Ä, 5b")).toBeVisible();
  await press(page, "Invite 2 people").click();
  await proveInDialog(page, account);
  const report = part(page, "2 of 2 invited");
  const saving = page.waitForEvent("download");
  await press(report, "Save as CSV").click();
  expect((await saving).suggestedFilename()).toBe("invitations.csv");
  await press(report, "Revoke all of these").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke all of these" }).click();
  const revoked = part(page, "0 of 2 invited");
  await expect(revoked.getByRole("listitem")).toContainText([/Revoked/, /Revoked/]);
});
