import type { Page } from "@playwright/test";
import { administrationPaths } from "#contract/administration/paths.ts";
import { SETUP_PATH } from "#contract/administration/setup.ts";
import { SITE_NOTICE_PATH } from "#contract/administration/site-notice.ts";
import { giveRole } from "../testing/accounts/roles.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { answered } from "./account-menu.ts";
import { openAs } from "./administration-screen.ts";
import { expect, failedRequest, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, press, prove, proveInDialog, title } from "./settings-screen.ts";

// The first action is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

// Other tests of the worker share the server.
test.afterEach(async ({ parley: { app } }) => {
  await app.context.database.deleteFrom("settings").execute();
  await app.context.installation.reload();
});

async function openChat(page: Page): Promise<void> {
  await page.goto("/chat");
  await expect(page.getByRole("textbox").first()).toBeVisible();
}

test("an owner changes the settings of the server, and undoes them there and by their record @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  await openAs(page, app, account, ["owner", "settings"]);
  await expect(title(page, "Settings")).toBeVisible();
  await field(page, "Name").fill(" ");
  await press(page, "Save: Name").click();
  await expect(page.getByText("Enter a name.")).toBeVisible();
  await expectNoOverhang(page);
  await field(page, "Name").fill("Salon");
  await field(page, "Name").press("Enter");
  await proveInDialog(page, account);
  await expect(page.getByText("Saved: Name")).toBeVisible();
  await expect(page).toHaveTitle(/Salon/);
  expect(await (await page.request.get("/login")).text()).toContain("<title>Salon</title>");
  await press(page, "Undo").click();
  await expect(page.getByText("Undone: Name")).toBeVisible();
  await expect(field(page, "Name")).toHaveValue("Parley");
  await field(page, "Replies a day").fill("7");
  await press(page, "Save: Replies a day").click();
  await expect(page.getByText("Saved: Replies a day")).toBeVisible();

  await page.goto("/administration/audit");
  const record = page.getByRole("listitem").filter({ hasText: "Replies a day: default → 7" });
  await expectNoOverhang(page);
  await record.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The change is undone.")).toBeVisible();
  expect(app.context.installation.current.dailyReplies).toBe(500);
});

test("everybody sees a notice without a reload, and dismisses it @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  await openChat(page);
  const owner = await signUp(app);
  await giveRole(app, owner, "owner");
  const body = { text: "The server rests at nine.\nPlease save your drafts." };
  await prove(app, owner);
  const answer = await app.call("PUT", administrationPaths.changedNotice, { token: owner.token, body });
  expect(answer.status).toBe(200);
  // A page that becomes visible again asks at once.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const notice = page.getByRole("status").filter({ hasText: "The server rests at nine." });
  await expect(notice).toBeVisible();
  await expectNoOverhang(page);
  await page.goto("/settings/account");
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
  await openChat(page);
  await answered(page, SITE_NOTICE_PATH);
  await expect(notice).toHaveCount(0);
  expect(account.user.role).not.toBe("owner");
});

test("an owner goes through the first steps from the hint in the chat @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  await giveRole(app, account, "owner");
  await openChat(page);
  const hint = page.getByRole("region", { name: /^You are the owner of / });
  await expect(hint).toBeVisible();
  await hint.getByRole("link", { name: "Open" }).click();
  await expect(title(page, "First steps")).toBeVisible();
  await expectNoOverhang(page);
  const done = page.getByText(/^\d of 6 done$/);
  const before = Number((await done.textContent())?.[0]);
  await field(page, "Name").fill("Salon");
  await press(page, "Save: Name").click();
  await proveInDialog(page, account);
  await expect(done).toHaveText(`${before + 1} of 6 done`);
  await press(page, "Send a test mail").click();
  await expect(page.getByText(`A mail to ${account.user.email} is in the data folder.`)).toBeVisible();
  await press(page, "Skip: Send mails").click();
  await expect(press(page, "Do it after all: Send mails")).toBeVisible();
  await press(page, "Do not remind me again").click();
  await expect(page.getByText("You are not reminded of these steps any more.")).toBeVisible();
  await openChat(page);
  await answered(page, SETUP_PATH);
  await expect(hint).toHaveCount(0);
});
