import { insertTestGroup, moveToGroup } from "../testing/accounts/groups.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { openAs } from "./administration-screen.ts";
import { expect, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, part, press, prove } from "./settings-screen.ts";

test("on a phone no page of the administration is wider than the screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  await moveToGroup(app, await insertTestGroup(app), eve);
  await openAs(page, app, account, ["owner", "overview"]);
  await prove(app, account);
  const changed = await app.call("PATCH", `/admin/accounts/${eve.user.id}`, {
    token: account.token,
    body: { quotaMb: 7 },
  });
  expect(changed.status).toBe(200);
  const pages = [
    { path: "overview", content: part(page, "Providers") },
    { path: "people", content: page.getByRole("row", { name: /Eve Polastri/ }).first() },
    { path: `people/${eve.user.id}`, content: part(page, "Role") },
    { path: "groups", content: page.getByText("1 member", { exact: true }).first() },
    { path: "invitations", content: press(page, "Invite people") },
    { path: "settings", content: field(page, "Replies a day") },
    { path: "setup", content: page.getByText(/^\d of 6 done$/) },
    { path: "audit", content: page.getByRole("listitem").filter({ hasText: "Quota in MB: none → 7" }).first() },
  ];
  for (const { path, content } of pages) {
    await test.step(path, async () => {
      await page.goto(`/administration/${path}`);
      await expect(content).toBeVisible();
      await expectNoOverhang(page);
    });
  }
});
