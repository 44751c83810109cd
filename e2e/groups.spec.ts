import { insertTestGroup, moveToGroup } from "../testing/accounts/groups.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { openAs } from "./administration-screen.ts";
import { expect, failedRequest, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, press, proveInDialog, title } from "./settings-screen.ts";

// Each action is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

test("an owner creates a group, moves a person into it, and deletes it @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const name = `Class ${account.user.username}`;
  const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  await openAs(page, app, account, ["owner", "groups"]);
  await expect(title(page, "Groups")).toBeVisible();
  await press(page, "New group").click();
  await field(page, "Name").fill(name);
  await page.getByRole("radio", { name: /Some models/ }).check();
  await field(page, "Search models").fill("mini");
  await page.getByRole("checkbox").first().check();
  await field(page, "Budget of the group in US dollars a month").fill("20");
  await expectNoOverhang(page);
  await press(page, "Create group").click();
  await proveInDialog(page, account);
  await expect(page.getByText("The group was saved.")).toBeVisible();
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await expect(card).toContainText("0 members");
  await expect(card).toBeFocused();
  await expectNoOverhang(page);

  await page.goto("/administration/people");
  await field(page, "Search people").fill(eve.user.username);
  await expect(page.getByText("1 person", { exact: true })).toBeVisible();
  await page.getByLabel("Select Eve Polastri").check();
  await press(page, "Move to group").click();
  await page.getByRole("dialog").getByLabel("Group").selectOption({ label: name });
  await press(page, "Move").click();
  await expect(page.getByText("Done for 1 account.")).toBeVisible();
  const row = page.getByRole("row", { name: /Eve Polastri/ });
  await expect(row).toContainText(name);
  await expectNoOverhang(page);

  await page.goto("/administration/groups");
  await expect(card).toContainText("1 member");
  await press(page, `Delete ${name}`).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("1 member leaves it and can then use all models.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("1 person is in no group now.")).toBeVisible();
  await expect(card).toBeHidden();
});

test("a manager reaches the members of the own group, and nobody else @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const member = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  const other = await signUp(app, { firstname: "Kim", lastname: "Philby" });
  const group = await insertTestGroup(app);
  await moveToGroup(app, group, account, member);
  await openAs(page, app, account, ["manager", "overview"]);
  await expect(title(page, "People")).toBeVisible();
  await expect(page.getByRole("row", { name: /Eve Polastri/ })).toBeVisible();
  await expect(page.getByText(other.user.username)).toBeHidden();
  await expectNoOverhang(page);
  await page.getByRole("link", { name: "Eve Polastri" }).click();
  await press(page, "Sign out everywhere").click();
  await proveInDialog(page, account);
  await expect(page.getByText("Done for 1 account.")).toBeVisible();
  await page.getByRole("link", { name: "Groups" }).click();
  await expect(page.getByText("2 members")).toBeVisible();
  await expectNoOverhang(page);
});

test("a member finds the group's default model marked in the menu of the composer @every-screen @proof", async ({
  page,
  account,
  parley: { app },
}) => {
  await moveToGroup(app, await insertTestGroup(app, { default_model: "GPT:gpt-5-mini" }), account);
  await page.goto("/chat");
  await page.getByRole("button", { name: /^Model:/ }).click();
  await expect(page.getByRole("menuitemradio", { name: /gpt-5-mini/ })).toContainText("Default of your group");
});
