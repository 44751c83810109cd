import { accountPaths } from "#contract/accounts/paths.ts";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { newestKeyFor } from "../testing/accounts/mailed-links.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { box, openSettings, openSidebar } from "./account-menu.ts";
import { expect, signIn, test } from "./fixtures.ts";
import { answerNoLonger, answerWith, holdCalls, jsonAnswer, recordCalls } from "./routed-calls.ts";
import {
  field,
  letProofLapse,
  loginTitle,
  openSection,
  part,
  press,
  proofDialog,
  prove,
  title,
} from "./settings-screen.ts";

test("the account menu opens the settings, and a link leads back @every-screen", async ({ page, account }) => {
  await page.goto("/chat");
  const sidebar = await openSidebar(page);
  const opener = sidebar.getByRole("button", { name: account.user.username });
  await opener.click();
  await expect(page.getByText(account.user.email)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await opener.click();
  await page.getByRole("menuitem", { name: "Settings", exact: true }).click();
  await expect(title(page, "Account")).toBeFocused();
  await expect(page).toHaveURL("/settings/account");
  await page.getByRole("link", { name: "Security", exact: true }).click();
  await expect(title(page, "Security")).toBeFocused();
  await expect(page).toHaveTitle("Security · Parley");
  await page.getByRole("link", { name: "Back to chats" }).click();
  await expect(box(page)).toBeVisible();
});

test("Back to chats opens the chat that was open @proof", async ({ page, parley: { app }, account: { token } }) => {
  const answer = await app.call("POST", conversationPaths.chats, { token });
  const { id } = chatSchema.parse(await answer.json());
  await page.goto(`/chat?c=${id}`);
  await openSettings(page, "Security");
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("link", { name: "Back to chats" }).click();
  await expect(box(page)).toBeVisible();
  await expect(page).toHaveURL(`/chat?c=${id}`);
});

test('/settings opens the account page, and an unknown section shows a "not found" page @proof', async ({
  page,
  account: _,
}) => {
  await page.goto("/settings");
  await expect(page).toHaveURL("/settings/account");
  await page.goto("/settings/nowhere");
  await expect(title(page, "There is nothing here")).toBeVisible();
});

test("a signed-out person signs in first and then gets the requested settings @proof", async ({ page, parley }) => {
  const { user, password } = await signUp(parley.app);
  await page.goto("/settings/security");
  await expect(loginTitle(page)).toBeVisible();
  await signIn(page, user.username, password);
  await expect(page).toHaveURL("/settings/security");
});

test("names and username are changed, and shown at once in every tab", async ({ page, account, parley: { app } }) => {
  await prove(app, account);
  const other = await page.context().newPage();
  await other.goto("/chat");
  await openSection(page, "account");
  await field(page, "First name").fill("Augusta");
  await press(page, "Save name").click();
  await expect(page.getByText("Your name is saved.")).toBeVisible();
  await expect(page.getByText("Augusta Lovelace")).toBeVisible();

  const username = `countess${account.user.username}`;
  await field(page, "Username").fill(username);
  await press(page, "Save username").click();
  await expect(page.getByText("Your username is saved.")).toBeVisible();
  await expect((await openSidebar(other)).getByText(username, { exact: true })).toBeVisible();
  const me = await app.call("GET", accountPaths.me, { token: account.token });
  expect(await me.json()).toMatchObject({ firstname: "Augusta", username });
  await page.reload();
  await expect(field(page, "Username")).toHaveValue(username);
});

test.describe("failed changes and reads", () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test("an error of a changed name is shown at its field, and the input stays @every-screen @proof", async ({
    page,
    account,
    parley: { app },
  }) => {
    const { user } = await signUp(app);
    await prove(app, account);
    await openSection(page, "account");
    await field(page, "First name").fill("Ada 2");
    await press(page, "Save name").click();
    await expect(field(page, "First name")).toBeFocused();
    await expect(field(page, "First name")).toHaveAccessibleDescription(/must contain only letters/);
    await field(page, "Username").fill(user.username);
    await press(page, "Save username").click();
    await expect(field(page, "Username")).toHaveAccessibleDescription("This username is already taken.");
    await expect(field(page, "Username")).toHaveValue(user.username);
  });

  test("a change of the name can be retried after a network error @proof", async ({ page, account: _ }) => {
    await openSection(page, "account");
    await answerWith(page, accountPaths.me, "network");
    await field(page, "Last name").fill("Byron");
    await press(page, "Save name").click();
    await expect(part(page, "Profile").getByRole("alert")).toContainText("The server could not be reached.");
    await answerNoLonger(page, accountPaths.me);
    await press(page, "Save name").click();
    await expect(page.getByText("Your name is saved.")).toBeVisible();
  });

  test("the account's state can be loaded again after an error @proof", async ({ page, account: _ }) => {
    await answerWith(page, accountPaths.account, jsonAnswer(500, {}));
    await openSection(page, "account");
    await expect(part(page, "Email").getByRole("alert")).toContainText("This could not be loaded.");
    await answerNoLonger(page, accountPaths.account);
    await press(page, "Try again").click();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });
});

test.describe("an expired proof", () => {
  test.use({ expectedErrors: [/status of 40[03]/] });

  test("an expired proof asks for the password once, and then the requested change is made @every-screen @proof", async ({
    page,
    account,
    parley: { app },
  }) => {
    await letProofLapse(app, account);
    const proofs = recordCalls(page, accountPaths.proof);
    await openSection(page, "account");
    const username = `renamed${account.user.username}`;
    await field(page, "Username").fill(username);
    await press(page, "Save username").click();
    const dialog = proofDialog(page);
    await expect(field(dialog, "Password")).toBeFocused();

    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(press(page, "Save username")).toBeFocused();
    await expect(field(page, "Username")).toHaveValue(username);

    await press(page, "Save username").click();
    await field(dialog, "Password").fill("not my password");
    await press(dialog, "Confirm").click();
    await expect(field(dialog, "Password")).toHaveAccessibleDescription("That is not your password.");
    await expect(field(dialog, "Password")).toBeFocused();
    await field(dialog, "Password").fill(account.password);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Your username is saved.")).toBeVisible();
    await expect(dialog).toBeHidden();

    await field(page, "Username").fill(account.user.username);
    await press(page, "Save username").click();
    await expect(field(page, "Username")).toHaveValue(account.user.username);
    await expect
      .poll(async () => (await app.call("GET", accountPaths.me, { token: account.token })).json())
      .toEqual(account.user);
    expect(proofs).toHaveLength(2);
  });
});

test.describe("a change of the email address", () => {
  test.use({ expectedErrors: [/status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING/] });

  test("L2 a mailed link applies a new address, and a link to the old one undoes it @every-screen", async ({
    page,
    account,
    browser,
    parley: { app },
  }) => {
    const old = account.user.email;
    const wanted = `new-${old}`;
    await prove(app, account);
    await openSection(page, "account");
    await press(page, "Change address").click();
    await expect(field(page, "New email address")).toBeFocused();
    await field(page, "New email address").fill("no address");
    await page.keyboard.press("Enter");
    await expect(field(page, "New email address")).toHaveAccessibleDescription("Please enter a valid email address");
    await field(page, "New email address").fill(wanted);
    await page.keyboard.press("Enter");
    await expect(page.getByText(`A mail with a link is on its way to ${wanted}.`)).toBeVisible();
    await expect(press(page, "Change address")).toBeFocused();
    await page.reload();
    await expect(page.getByText(`Waiting for you to confirm ${wanted}`)).toBeVisible();
    await expect(part(page, "Email").getByText(old, { exact: true })).toBeVisible();

    const key = await newestKeyFor(app, "confirm-email", wanted);
    const mailed = await page.context().newPage();
    // Earlier versions mailed the key in the query.
    await mailed.goto(`/confirm-email?key=${key}`);
    await press(mailed, "Confirm Address").click();
    await expect(title(mailed, "Address Confirmed!")).toBeVisible();
    // The tab that confirmed the address notifies the tab with the settings.
    await expect(part(page, "Email").getByText(wanted, { exact: true })).toBeVisible();
    await page.reload();
    await expect(part(page, "Email").getByText(wanted, { exact: true })).toBeVisible();
    await expect(page.getByText(/^Waiting for you/)).toHaveCount(0);

    const undo = await newestKeyFor(app, "undo-email", old);
    const owner = await (await browser.newContext({ baseURL: app.url })).newPage();
    await owner.goto(`/undo-email#key=${undo}`);
    await press(owner, "Restore Address").click();
    await expect(title(owner, "Address Restored")).toBeVisible();
    await owner.context().close();
    await press(page, "Change address").click();
    await field(page, "New email address").fill("third@example.org");
    await page.keyboard.press("Enter");
    await expect(loginTitle(page)).toBeVisible();
  });

  test("a pending change of the address can be cancelled, which invalidates its link @proof", async ({
    page,
    account,
    parley: { app },
  }) => {
    const wanted = `never-${account.user.email}`;
    await prove(app, account);
    await openSection(page, "account");
    await press(page, "Change address").click();
    await field(page, "New email address").fill(wanted);
    await press(page, "Send link").click();
    await press(page, "Cancel the change").click();
    await expect(page.getByText("The change was cancelled. Its link no longer works.")).toBeVisible();
    const key = await newestKeyFor(app, "confirm-email", wanted);
    expect((await app.call("POST", accountPaths.confirmEmail, { body: { key } })).status).toBe(400);
  });
});

test("a section of the settings shows that it is loading @proof", async ({ page, account: _ }) => {
  const held = await holdCalls(page, accountPaths.sessions);
  await openSection(page, "security");
  await expect(part(page, "Sessions").getByText("Loading…")).toBeAttached();
  held.letGo();
  await expect(part(page, "Sessions").getByText("This session")).toBeVisible();
});
