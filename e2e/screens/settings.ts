import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { ownServerPaths, type PersonalServer } from "#contract/mcp/own-servers.ts";
import { insertIdentity } from "../../server/accounts/external-identity-store.ts";
import { newId } from "../../server/database/new-id.ts";
import { moveToGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { insertGroup } from "../../testing/chats/budgets.ts";
import { documentOf, exported } from "../../testing/chats/exported-chats.ts";
import { chatgptChat } from "../../web/testing/chatgpt-files.ts";
import type { ChatScreen } from "../chat-screen.ts";
import { expect } from "../fixtures.ts";
import { answerWith, jsonAnswer } from "../routed-calls.ts";
import { field, letProofLapse, part, press, proofDialog, prove, proveInDialog } from "../settings-screen.ts";
import type { Scene, Screens } from "./walk.ts";

export type SettingsScene = Scene & { chat: ChatScreen; account: TestAccount };

const NANO_USD = 1e9;
const DAY_MS = 86_400_000;
const words = (text: string | RegExp) => (page: Page) => page.getByText(text);

/** Sets what a budget has spent in this month, in US dollars. */
export async function spend({ context: { database } }: TestApp, scope: string, usd: number): Promise<void> {
  const month = new Date().toISOString().slice(0, 7);
  await database.deleteFrom("budget_totals").where("scope", "=", scope).execute();
  await database
    .insertInto("budget_totals")
    .values({ scope, month, spent: usd * NANO_USD, reserved: 0, warned: 0 })
    .execute();
}

const shop: PersonalServer = {
  id: "shop",
  name: "Shop",
  host: "shop.example.org",
  url: "https://shop.example.org/mcp",
  isOwn: true,
  isOn: true,
  state: "ready",
  tools: [{ name: "find", title: "Find goods", effect: "read" }],
  leftOut: 2,
  listedAt: 1,
  signedInAt: 1,
  issuer: "id.example.org",
};
const servers: readonly PersonalServer[] = [
  shop,
  { ...shop, id: "notes", name: "Notes", state: "connect", tools: [] },
  { ...shop, id: "wiki", name: "Wiki", state: "away", failure: "refused", tools: [] },
];

async function choose(page: Page, document: unknown): Promise<void> {
  const buffer = Buffer.from(JSON.stringify(document));
  await page.locator('input[type="file"]').setInputFiles({ name: "chats.json", mimeType: "application/json", buffer });
}

/** A month with a call of a known model and of one without a price, and the budget of a group and its member. */
async function use({ app, chat, account }: SettingsScene): Promise<void> {
  const { id } = account.user;
  const call = {
    user_id: id,
    message_id: null,
    purpose: "reply",
    input_tokens: 1_234_567,
    output_tokens: 890,
  } as const;
  const estimate = { ...call, group_id: null, budgets: "", is_estimate: 1, cost_nano_usd: null, duration_ms: 1 };
  await app.context.database
    .insertInto("model_calls")
    .values({ ...estimate, id: `now-${id}`, model: "LOCAL:llama3.2:3b", at: Date.now() })
    .execute();
  await app.context.database
    .insertInto("model_calls")
    .values({ ...estimate, id: `earlier-${id}`, model: "LOCAL:llama3.2:3b", at: Date.now() - 40 * DAY_MS })
    .execute();
  await chat.call("POST", conversationPaths.chatSend(await chat.prepare()), {
    message: "Hello",
    model: "GPT:gpt-5-mini",
  });
  const group = await insertGroup(app, { budget: 5 * NANO_USD, member_budget: 2 * NANO_USD });
  await moveToGroup(app, group, account);
  await spend(app, `group:${group}`, 1);
  await spend(app, `account:${id}`, 1.7);
}

export const accountSettings: Screens<SettingsScene> = {
  "settings: account with a pending address and errors": {
    before: async ({ app, account, chat, ids }) => {
      await prove(app, account);
      await chat.call("POST", accountPaths.email, { email: `new-${account.user.email}` });
      ids.taken = (await signUp(app)).user.username;
    },
    open: "/settings/account",
    reach: async ({ page, ids }) => {
      await field(page, "First name").fill("Ada 2");
      await press(page, "Save name").click();
      await field(page, "Username").fill(ids.taken ?? "");
      await press(page, "Save username").click();
      await expect(page.getByText(/^Waiting for you to confirm/)).toBeVisible();
    },
    shows: words("This username is already taken."),
  },
  "settings: security": {
    before: async ({ app, account: { user, password } }) => {
      await app.call("POST", accountPaths.login, { body: { username: user.username, password: "a wrong guess" } });
      await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
    },
    open: "/settings/security",
    shows: (page) => part(page, "Sessions").getByRole("listitem").nth(1),
  },
  "settings: new password with errors": {
    reach: async ({ page }) => {
      await press(page, "Change password").click();
      await field(page, "Current password").fill("not my password");
      await field(page, "New password").fill("short");
      await field(page, "Repeat the new password").fill("other");
      await press(page, "Change password").click();
    },
    shows: words("Passwords do not match"),
  },
  "settings: sessions that cannot be loaded": {
    before: ({ page }) => answerWith(page, accountPaths.sessions, "network"),
    open: "/settings/security",
    shows: (page) => press(part(page, "Sessions"), "Try again"),
  },
  "settings: passkeys": {
    before: async ({ page }) => {
      const phone = { id: "cGhvbmU", name: "My phone with a long name", createdAt: 1, lastUsedAt: 2 };
      const old = { ...phone, id: "b2xk", lastUsedAt: null, otherHost: "old.example.org", isRestored: true };
      await answerWith(page, accountPaths.passkeys, jsonAnswer(200, { passkeys: [phone, old] }));
    },
    open: "/settings/security",
    shows: words("Made for old.example.org: it does not work at this address."),
  },
  "settings: single sign-on": {
    before: async ({ app, account: { user } }) => {
      const row = { id: newId(), issuer: "https://id.example.org", subject: user.id, user_id: user.id };
      const times = { created_at: 1, last_used_at: 2, restored_at: 3 };
      await insertIdentity(app.context.database, { ...row, label: "ada.lovelace@example.org", ...times });
    },
    open: "/settings/security",
    shows: words("ada.lovelace@example.org"),
  },
  "settings: name of a passkey": {
    reach: ({ page }) =>
      part(page, "Passkeys")
        .getByRole("button", { name: /^Rename / })
        .first()
        .click(),
    shows: (page) => field(page, "Name"),
  },
  "settings: activity": { open: "/settings/security#activity", shows: words("Failed sign-in") },
  "settings: activity of administrators, none": {
    reach: ({ page }) => press(page, "By administrators").click(),
    shows: words("No administrator has changed your account"),
  },
  "settings: activity of administrators": {
    before: async ({ app, account: { user } }) => {
      const { token } = await signUpAs(app, "owner");
      await app.call("PATCH", administrationPaths.account(user.id), { token, body: { role: "manager", quotaMb: 7 } });
    },
    // The list is read again.
    open: "/settings/activity",
    reach: ({ page }) => press(page, "By administrators").click(),
    shows: words("Quota in MB: none → 7"),
  },
  "settings: request for a proof": {
    before: ({ app, account }) => letProofLapse(app, account),
    open: "/settings/account",
    reach: async ({ page, account }) => {
      await field(page, "Username").fill(`renamed${account.user.username}`);
      await press(page, "Save username").click();
    },
    shows: proofDialog,
  },
  "settings: deletion of the account": {
    reach: async ({ page }) => {
      await page.keyboard.press("Escape");
      await press(page, "Delete account…").click();
    },
    shows: (page) => press(page, "Delete in 14 days"),
  },
  "settings: request for a proof of the deletion": {
    reach: async ({ page, account: { user } }) => {
      await page.getByLabel(/^Now, for good/).check();
      await field(page, `Type ${user.username} to continue`).fill(user.username);
      await page.keyboard.press("Enter");
    },
    shows: proofDialog,
  },
  "sign-in after the deletion": {
    reach: ({ page, account }) => proveInDialog(page, account),
    shows: words("Your account and everything in it have been deleted."),
  },
};

export const otherSettings: Screens<SettingsScene> = {
  "settings: appearance": { open: "/settings/appearance", shows: (page) => page.getByRole("figure") },
  "settings: chat with a preset and changed instructions": {
    before: ({ chat }) =>
      chat.call("POST", conversationPaths.presets, {
        name: "Poet",
        instructions: "Rhyme.",
        model: null,
        temperature: null,
      }),
    open: "/settings/chat",
    reach: async ({ page }) => {
      const instructions = part(page, "Your instructions").getByRole("textbox");
      for (const text of ["Call me Ada.", "Call me Augusta."]) {
        await instructions.fill(text);
        await instructions.blur();
        await expect(part(page, "Your instructions").getByText("Saved")).toBeVisible();
      }
    },
    shows: (page) => press(page, "Undo"),
  },
  "settings: models": {
    open: "/settings/models",
    reach: async ({ page }) => {
      await page.getByRole("switch", { name: "Show gpt-5-nano in menus", exact: true }).uncheck();
      await page.getByRole("combobox", { name: "Model for new chats" }).selectOption("gpt-5");
    },
    shows: (page) => page.getByRole("switch", { name: "Show gpt-5 in menus", exact: true, disabled: true }),
  },
  "settings: tools": { open: "/settings/tools", shows: words("Every tool asks") },
  "settings: tool servers": {
    before: ({ page }) => answerWith(page, ownServerPaths.servers, jsonAnswer(200, { canAdd: true, servers })),
    open: "/settings/tools",
    reach: ({ page }) => press(page, "What it can do: Shop").click(),
    shows: words("Find goods"),
  },
  "settings: new tool server with errors": {
    reach: async ({ page }) => {
      await press(page, "Add a server").click();
      await field(page, "Address").fill("npx server");
      await press(page, "Add").click();
    },
    shows: words("That is a program or a file."),
  },
  "settings: change of a tool server": {
    reach: async ({ page }) => {
      await press(page, "Edit Shop").click();
      await field(page, "Address").fill("https://tea.example.org/mcp");
    },
    shows: words("Another address ends your sign-in"),
  },
  "settings: menu of a tool server": {
    reach: ({ page }) => press(page, "More: Shop").click(),
    shows: (page) => page.getByRole("menuitem", { name: "Sign out" }),
  },
  "settings: tool servers that are off": {
    before: ({ page }) => {
      const off = servers.map((server) => ({ ...server, isOn: false }));
      return answerWith(page, ownServerPaths.servers, jsonAnswer(200, { canAdd: false, servers: off }));
    },
    open: "/settings/tools",
    shows: words("Your own servers are off"),
  },
  "settings: no tool server": {
    before: ({ page }) => answerWith(page, ownServerPaths.servers, jsonAnswer(200, { canAdd: true, servers: [] })),
    open: "/settings/tools",
    shows: words("No server yet"),
  },
  "settings: data": { open: "/settings/data", shows: (page) => press(page, "Export all chats") },
  "settings: import of another format": {
    reach: ({ page }) => choose(page, [{ title: "Chat" }]),
    shows: words("This is not a file of exported chats."),
  },
  "settings: import": {
    open: "/settings/data",
    reach: ({ page }) => choose(page, documentOf({ chats: [exported(), { ...exported(), title: 7 }] })),
    shows: words("1 could not be imported:"),
  },
  "settings: ways to get a history": {
    open: "/settings/data",
    reach: ({ page }) => press(page, "How to get your history").click(),
    shows: words("Export all message branches"),
  },
  "settings: preview of an import": {
    open: "/settings/data",
    reach: async ({ page }) => {
      const files = [
        { id: "a", title: "Apples", instructions: "Be brief." },
        { id: "b", title: "" },
      ];
      await choose(page, files.map(chatgptChat));
      await page.getByText("Show them").click();
    },
    shows: words("Be brief."),
  },
  "settings: report of an import": {
    reach: ({ page }) => press(page, "Import 2 chats").click(),
    shows: words("Every entry of the file"),
  },
  "settings: no usage": { open: "/settings/usage", shows: words("No usage in this month.") },
  "settings: usage": {
    before: use,
    open: "/settings/usage",
    shows: (page) => page.getByRole("region", { name: "Budget of this month" }).getByText("Nearly used up"),
  },
};
