import { accountPaths } from "#contract/accounts/paths.ts";
import { giveRole } from "../testing/accounts/roles.ts";
import { answered, chatsSettled } from "./account-menu.ts";
import { expect, failedRequest, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { part, press, proveInDialog, title } from "./settings-screen.ts";

// The test is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)] });

test("an administrator finds the overview in the palette, and tests the providers @every-screen", async ({
  page,
  account,
  parley: { app, provider },
}) => {
  await giveRole(app, account, "administrator");
  await page.goto("/chat");
  await chatsSettled(page);
  // The role is read with the account.
  await answered(page, accountPaths.me);
  await page.keyboard.press("ControlOrMeta+k");
  // The palette loads when it is first opened.
  await expect(page.getByRole("combobox", { name: "Search" })).toBeFocused();
  await page.keyboard.type("administration");
  await expect(page.getByRole("option", { name: "Administration" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "Records" })).toBeVisible();
  await page.getByRole("option", { name: "Overview" }).click();
  await expect(title(page, "Overview")).toBeVisible();

  provider.reply = "OK";
  const providers = part(page, "Providers");
  await press(page, "Test: OpenAI").click();
  await proveInDialog(page, account);
  await expect(providers.getByRole("status")).toContainText(/gpt-5-mini answered in .*It said: OK/);
  provider.next("wrong-key");
  await press(page, "Test: Anthropic").click();
  await expect(providers.getByRole("alert")).toContainText("Check ANTHROPIC_API_KEY.");
  await expectNoOverhang(page);
});
