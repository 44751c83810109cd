import type { Page } from "@playwright/test";
import { test } from "./chat-screen.ts";
import { animationsEnded, expectNoOverhang } from "./looks.ts";
import { otherRoles, ownerScreens } from "./screens/administration.ts";
import { accountSettings, otherSettings } from "./screens/settings.ts";
import { walk } from "./screens/walk.ts";

// The overview of the administration shows a budget.
test.use({ expectedErrors: [/Failed to load resource/], serverEnv: { MONTHLY_BUDGET_USD: "10" } });

async function expectToFit(page: Page): Promise<void> {
  await animationsEnded(page);
  await expectNoOverhang(page);
}

for (const [area, screens] of Object.entries({ account: accountSettings, "chats and data": otherSettings })) {
  test(`every state of the settings of ${area} fits a phone`, async ({ chat, page, parley: { app } }) => {
    await walk({ chat, page, app, isMobile: true, account: chat.account, ids: {} }, screens, expectToFit);
  });
}

for (const [role, screens] of Object.entries({ "an owner": ownerScreens, "other accounts": otherRoles })) {
  test(`every state of the administration of ${role} fits a phone`, async ({ account, page, parley, provider }) => {
    await walk({ page, app: parley.app, provider, account, isMobile: true, ids: {} }, screens, expectToFit);
    // Other tests of the worker share the server.
    await parley.app.context.database.deleteFrom("settings").execute();
    await parley.app.context.installation.reload();
  });
}
