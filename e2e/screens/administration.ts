import type { Page } from "@playwright/test";
import { createdOwnershipOfferSchema } from "#contract/accounts/ownership.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { insertTestGroup, moveToGroup, newGroup } from "../../testing/accounts/groups.ts";
import { invite } from "../../testing/accounts/invitations.ts";
import { giveRole, signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import { newPerson, signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { insertGroup } from "../../testing/chats/budgets.ts";
import type { ScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { expect } from "../fixtures.ts";
import { field, part, press, prove, title } from "../settings-screen.ts";
import { spend } from "./settings.ts";
import type { Scene, Screens } from "./walk.ts";

/** `account`: who is signed in on the page. */
export type AdministrationScene = Scene & { account: TestAccount; provider: ScriptedProvider };

const NANO_USD = 1e9;
const words = (text: string | RegExp) => (page: Page) => page.getByText(text);
const hint = (page: Page) => page.getByRole("region", { name: /^You are the owner of / });

/** Gives the account a role, which the page reads with the chats. */
async function become({ page, app, account }: AdministrationScene, role: AccountRole): Promise<void> {
  await giveRole(app, account, role);
  await prove(app, account);
  await page.goto("/chat");
  await expect(page.getByRole("textbox").first()).toBeVisible();
}

/** Prepares an owner, and a member of a group whose budget is used up. */
async function prepareOwner(scene: AdministrationScene): Promise<void> {
  const { app, ids } = scene;
  await become(scene, "owner");
  const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  const group = await insertGroup(app, { budget: 5 * NANO_USD });
  await moveToGroup(app, group, eve);
  await spend(app, "installation", 8.5);
  await spend(app, `group:${group}`, 4.99);
  ids.eve = eve.user.id;
  ids.username = eve.user.username;
}

export const ownerScreens: Screens<AdministrationScene> = {
  "chats with a hint for owners": { before: prepareOwner, open: "/chat", shows: hint },
  "chats with a notice": {
    before: ({ app, account: { token } }) => {
      const body = { text: "The server rests at nine.\nPlease save your drafts." };
      return app.call("PUT", administrationPaths.changedNotice, { token, body });
    },
    open: "/chat",
    shows: words("The server rests at nine."),
  },
  "settings with a notice": { open: "/settings/account", shows: words("The server rests at nine.") },
  "administration: overview with warnings and tests of the providers": {
    open: "/administration/overview",
    reach: async ({ page, provider }) => {
      provider.reply = "OK";
      await press(page, "Test: OpenAI").click();
      await expect(part(page, "Providers").getByRole("status")).toContainText("It said: OK");
      provider.next("wrong-key");
      await press(page, "Test: Anthropic").click();
      await expect(page.getByText(/^85% of this month’s budget is spent/)).toBeVisible();
    },
    shows: words("Check ANTHROPIC_API_KEY."),
  },
  "administration: people": {
    open: "/administration/people",
    reach: async ({ page, ids }) => {
      await field(page, "Search people").fill(ids.username ?? "");
      await expect(page.getByText("1 person", { exact: true })).toBeVisible();
      await page.getByLabel("Select Eve Polastri").check();
    },
    shows: words("1 selected"),
  },
  "administration: person": { open: "/administration/people/:eve", shows: words("Used up until") },
  "administration: offer of ownership": {
    reach: async ({ page }) => {
      await page.getByRole("combobox", { name: "Role" }).selectOption("owner");
      await page.getByRole("radio", { name: /Hand over ownership/ }).check();
      await press(page, "Offer ownership").click();
    },
    shows: (page) => page.getByRole("heading", { name: "The offer is ready" }),
  },
  "administration: offer withdrawn": {
    reach: ({ page }) => press(page, "Withdraw").click(),
    shows: words("The offer was withdrawn."),
  },
  "administration: records about a person": {
    reach: ({ page }) => page.getByRole("link", { name: "Records about this account" }).click(),
    shows: (page) => page.getByRole("listitem").filter({ hasText: "Ownership offered" }),
  },
  "administration: invitations": {
    before: async ({ app, account }) => {
      const { key } = await invite(app, account, { uses: 3, note: "Parents’ evening" });
      await app.call("POST", accountPaths.register, {
        body: { ...newPerson({ username: "invited1" }), invitation: key },
      });
    },
    open: "/administration/invitations",
    shows: words("invited1"),
  },
  "administration: new invitation": {
    reach: async ({ page }) => {
      await press(page, "Invite people").click();
      await page.getByRole("radio", { name: /Several people/ }).check();
    },
    shows: (page) => page.locator("form button[type=submit]"),
  },
  "administration: list of people to invite": {
    open: "/administration/invitations",
    reach: async ({ page, account }) => {
      await press(page, "Invite several").click();
      await field(page, "Addresses").fill(`Ada <a-${account.user.email}>\nnobody\nb-${account.user.email}, 5b`);
    },
    shows: words("2 addresses recognised. 1 line is left out."),
  },
  "administration: report of a list": {
    reach: ({ page }) => press(page, "Invite 2 people").click(),
    shows: words("2 of 3 invited"),
  },
  "administration: groups": {
    before: ({ app, account }) =>
      newGroup(app, account, { name: `Class ${account.user.username}`, budget: 20, memberBudget: 2 }),
    open: "/administration/groups",
    shows: words(/^Class /),
  },
  "administration: new group": {
    reach: async ({ page }) => {
      await press(page, "New group").click();
      await page.getByRole("radio", { name: /Some models/ }).check();
      await field(page, "Search models").fill("mini");
      await page.getByRole("checkbox").first().check();
    },
    shows: (page) => press(page, "Create group"),
  },
  "administration: connections": {
    before: async ({ app, account: { token }, provider: { baseUrl } }) => {
      const body = { kind: "openai", name: "At home", baseUrl, settings: { offer: "chosen" } };
      await app.call("POST", administrationPaths.connections, { token, body });
    },
    open: "/administration/connections",
    shows: words("0 of 2 models can be chosen."),
  },
  "administration: facts of a model": {
    reach: async ({ page }) => {
      await press(page, "More: At home").click();
      await page.getByRole("menuitem", { name: "Models" }).click();
      await press(page, "Edit model: qwen3:8b").click();
    },
    shows: (page) => page.getByRole("checkbox", { name: "This model can chat" }),
  },
  "administration: connection edited": {
    reach: async ({ page }) => {
      await press(page, "Edit: At home").click();
      await press(page, "More").click();
    },
    shows: (page) => field(page, "Models that people can choose"),
  },
  "administration: servers to connect": {
    reach: ({ page }) => press(page, "Connect a server").click(),
    shows: (page) => page.getByRole("list", { name: "Servers" }),
  },
  "administration: new connection with an error": {
    reach: async ({ page }) => {
      await press(page, /^Azure OpenAI/).click();
      await press(page, "Connect").click();
    },
    shows: words("Key is required"),
  },
  "administration: no MCP server": {
    open: "/administration/tool-servers",
    shows: words("No MCP server yet"),
  },
  "administration: new MCP server with a failed test": {
    reach: async ({ page }) => {
      await press(page, "Add a server").click();
      await field(page, "Address").fill("http://127.0.0.1:9/mcp");
      await page.getByRole("radio", { name: /^Members of groups/ }).check();
      await press(page, "Test").click();
    },
    shows: words(/^127\.0\.0\.1:9 refused the connection/),
  },
  "administration: MCP server that does not work": {
    reach: async ({ page }) => {
      await page.getByRole("radio", { name: /^Everyone/ }).check();
      await field(page, "Name").fill("Wiki");
      await press(page, "Add").click();
    },
    shows: words("Does not work"),
  },
  "administration: no sign-in provider": {
    open: "/administration/identity-providers",
    shows: words("No sign-in provider yet"),
  },
  "administration: new sign-in provider": {
    reach: async ({ page }) => {
      await press(page, "Add a provider").click();
      await press(page, "Rules").click();
    },
    shows: (page) => press(page, "Add"),
  },
  "administration: web search with the steps of SearXNG": {
    open: "/administration/web-search",
    shows: words("docker compose --profile search up --detach"),
  },
  "administration: web search with a failed test": {
    reach: async ({ page }) => {
      await field(page, "Address").fill("http://127.0.0.1:9");
      await press(page, "Test").click();
    },
    shows: words(/^127\.0\.0\.1:9 refused the connection/),
  },
  "administration: web search with a missing key": {
    reach: async ({ page }) => {
      await page.getByRole("radio", { name: /^Brave Search/ }).check();
      await press(page, "Save").click();
    },
    shows: words("Key is required"),
  },
  "administration: settings with an error": {
    open: "/administration/settings",
    reach: async ({ page }) => {
      await field(page, "Name").fill(" ");
      await press(page, "Save: Name").click();
    },
    shows: words("Enter a name."),
  },
  "administration: records": {
    before: ({ app, account }) => changeSettingsOf(app, account, { dailyReplies: 7 }),
    open: "/administration/audit",
    shows: (page) => page.getByRole("listitem").getByRole("button", { name: "Undo" }),
  },
  "administration: first steps": { open: "/administration/setup", shows: words(/^\d of 6 done$/) },
};

/** Pages of accounts with other roles. */
export const otherRoles: Screens<AdministrationScene> = {
  "administration without a role": {
    open: "/administration/people",
    shows: words("Only administrators can open this page."),
  },
  "administration of a manager: people": {
    before: async (scene) => {
      const { app, account, ids } = scene;
      const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
      await moveToGroup(app, await insertTestGroup(app), account, eve);
      await become(scene, "manager");
      ids.eve = eve.user.id;
    },
    open: "/administration/people",
    shows: (page) => page.getByRole("row", { name: /Eve Polastri/ }),
  },
  "administration of a manager: person": {
    open: "/administration/people/:eve",
    reach: ({ page }) => press(page, "Sign out everywhere").click(),
    shows: words("Done for 1 account."),
  },
  "administration of a manager: groups": { open: "/administration/groups", shows: words("2 members") },
  "offered ownership": {
    before: async ({ app, account: { user }, ids }) => {
      const { token } = await signUpAs(app, "owner");
      const path = administrationPaths.ownershipOffer(user.id);
      const answer = await app.call("POST", path, { token, body: { staysOwner: true } });
      ids.offer = new URL(createdOwnershipOfferSchema.parse(await answer.json()).link).hash.slice(1);
    },
    open: "/become-owner#:offer",
    shows: (page) => title(page, "Become an owner"),
  },
};
