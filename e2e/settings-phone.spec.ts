import { accountPaths } from "#contract/accounts/paths.ts";
import { expect, test } from "./fixtures.ts";
import { expectNoOverhang, expectTouchable, expectUsableAtTwiceTheSize } from "./looks.ts";
import { answerWith, jsonAnswer } from "./routed-calls.ts";
import { field, openSection, press } from "./settings-screen.ts";

test("on a phone the settings fit, have large touch targets, and work at 200 % zoom", async ({ page, account: _ }) => {
  await answerWith(
    page,
    accountPaths.account,
    jsonAnswer(200, {
      hasPassword: true,
      hasGoogle: false,
      pendingEmail: `${"long".repeat(15)}@${"mail".repeat(14)}.example.org`,
      createdAt: 1,
      secondFactor: { createdAt: 1, lastUsedAt: 1, recoveryCodesLeft: 2, rememberedBrowsers: 3, endsAt: Date.now() },
      lastSignIns: { password: 1, recoveryCode: 1 },
      needsSecondFactor: false,
    }),
  );
  for (const section of ["account", "security"] as const) {
    await openSection(page, section);
    await expect(
      page.getByRole("main").getByText(section === "account" ? /^Waiting for you/ : /^Email address verified/),
    ).toBeVisible();
    await expectNoOverhang(page);
    await expectTouchable(page.locator("body"));
  }
  await openSection(page, "account");
  await expectUsableAtTwiceTheSize(page, [
    page.getByRole("link", { name: "Back to chats" }),
    field(page, "First name"),
    press(page, "Save username"),
    press(page, "Cancel the change"),
    press(page, "Delete account…"),
  ]);
});
