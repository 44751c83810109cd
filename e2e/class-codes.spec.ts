import { filedMailsTo } from "../testing/accounts/filed-mails.ts";
import { newPerson } from "../testing/accounts/sign-up.ts";
import { openAs } from "./administration-screen.ts";
import { expect, fillRegistration, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, press, proveInDialog } from "./settings-screen.ts";

test.use({
  serverEnv: { REGISTRATION: "closed" },
  // The class code needs a proof first, and a wrong one is refused.
  expectedErrors: [/status of 40[03]/],
});

test("a pupil registers with the class code on a printed sheet while registration is closed @every-screen", async ({
  page,
  account,
  browser,
  parley: { app },
}) => {
  await openAs(page, app, account, ["owner", "invitations"]);
  await press(page, "Invite people").click();
  await page.getByRole("radio", { name: /A class/ }).check();
  await page.locator("form button[type=submit]").click();
  await proveInDialog(page, account);
  const shown = page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await expect(shown).toBeVisible();
  const code = (await shown.textContent()) ?? "";
  await expectNoOverhang(page);

  await press(page, "Print sheet").click();
  const dialog = page.getByRole("dialog", { name: "Sheet for the class" });
  await dialog.getByLabel("Language of the sheet").selectOption("de");
  await expect(dialog.getByText("Lege dein Konto an")).toBeVisible();
  await expectNoOverhang(page);
  await page.emulateMedia({ media: "print" });
  const paper = dialog.getByRole("region");
  await expect(paper.getByText(code)).toBeVisible();
  // The server's own address has the port 0 in tests.
  await expect(paper.getByRole("definition").filter({ hasText: /\/register$/ })).toBeVisible();
  await expect(paper.getByRole("img", { name: "QR-Code mit dem Link zur Registrierung" })).toBeVisible();
  await expect(paper.getByText(/^Gültig bis/)).toBeVisible();
  await expect(dialog.getByLabel("Language of the sheet")).toBeHidden();
  await expect(page.locator("#root")).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.keyboard.press("Escape");
  await expect(press(page, "Print sheet")).toBeFocused();

  const context = await browser.newContext({ baseURL: app.url });
  const pupil = await context.newPage();
  await pupil.goto("/register");
  await expect(pupil.getByText(/New accounts are not open here/)).toBeVisible();
  await expectNoOverhang(pupil);
  const entry = field(pupil, "Class code");
  await entry.fill("ABCD-EFGH");
  await entry.press("Enter");
  await expect(pupil.getByText(/^This code is not valid/).first()).toBeVisible();
  await entry.fill("");
  await entry.pressSequentially(code.toLowerCase().replace("-", " "));
  await expect(entry).toHaveValue(code);
  await entry.press("Enter");
  await expect(pupil.getByText(/Ada Lovelace/)).toBeVisible();
  const person = newPerson();
  await fillRegistration(pupil, person);
  await pupil.keyboard.press("Enter");
  await expect.poll(async () => (await filedMailsTo(app, person.email)).length).toBe(1);
  await context.close();

  await press(page, "Done").click();
  await page.reload();
  const line = page.getByRole("listitem").filter({ hasText: person.username }).first();
  await expect(line).toContainText(/Class code.*Person · 1 of 40 used/);
});
