import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp, signUpProved } from "../testing/accounts/sign-up.ts";
import { box, openSidebar } from "./account-menu.ts";
import { expect, test } from "./chat-screen.ts";
import { signIn } from "./fixtures.ts";
import { loginTitle, press } from "./settings-screen.ts";

const EVERYTHING = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);

test.describe("E8 personal data in the browser", () => {
  test.use({
    expectedErrors: [
      /status of 40[134]|net::ERR_|^warning: (Sign-out could not be told|The (stored sign-in|list of models|presets) could not)/,
    ],
  });

  test("Logout removes all data after a confirmation, also a message that waits for the network", async ({
    chat,
    page,
    context,
    provider,
  }) => {
    const id = await chat.prepare("The beginning", "The first answer");
    const names = [/\/login-screen-[^/]+\.js$/, /\/overlays-[^/]+\.js$/, /\/confirm-dialog-[^/]+\.js$/];
    const modules = names.map((name) => page.waitForResponse(name));
    await chat.open(id);
    await expect(chat.answer("The first answer")).toBeVisible();
    // The login screen and the question are loaded before the network goes down.
    for (const module of await Promise.all(modules)) await module.finished();
    await context.setOffline(true);
    await chat.send("Written on a train.");
    await expect(chat.question("Written on a train.")).toContainText("Waiting for the connection…");
    await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Log out and lose your draft?" });
    await press(dialog, "Cancel").click();
    await expect(chat.question("Written on a train.")).toBeVisible();
    await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    await press(dialog, "Log out").click();
    await expect(loginTitle(page)).toBeVisible();
    const left = await page.evaluate(EVERYTHING);
    expect(left).not.toContain("on a train");
    expect(left).not.toContain(chat.account.token);
    expect(left).not.toContain(chat.account.user.username);

    await context.setOffline(false);
    await signIn(page, chat.account.user.username, chat.account.password);
    await expect(chat.box).toBeVisible();
    await chat.open(id);
    await expect(chat.answer("The first answer")).toBeVisible();
    await expect(chat.messages).toHaveCount(2);
    await expect(chat.box).toHaveValue("");
    expect(provider.chats).toHaveLength(0);
  });

  test("a session that was ended elsewhere leaves only the draft, for its author alone", async ({
    page,
    account,
    parley,
  }) => {
    const next = await signUpProved(parley.app);
    const connected = page.waitForResponse((answer) => answer.url().includes(conversationPaths.events) && answer.ok());
    await page.goto("/chat");
    await box(page).fill("Half a thought");
    await connected;
    await parley.app.call("POST", accountPaths.logout, { token: account.token });
    await expect(loginTitle(page)).toBeVisible();
    await expect(page.getByText("You were signed out. Sign in to continue; your drafts are saved")).toBeVisible();
    expect(await page.evaluate(EVERYTHING)).not.toContain(account.token);
    await signIn(page, next.user.username, next.password);
    await expect((await openSidebar(page)).getByText(next.user.username, { exact: true })).toBeVisible();
    await expect(page.getByPlaceholder("Message ChatGPT...")).toHaveValue("");
    await parley.app.call("DELETE", accountPaths.sessions, { token: next.token });
    await expect(loginTitle(page)).toBeVisible();
    await signIn(page, account.user.username, account.password);
    await expect(page.getByPlaceholder("Message ChatGPT...")).toHaveValue("Half a thought");
  });

  test("data is removed from a tab when another person signs in in a second tab", async ({ chat, context, parley }) => {
    const next = await signUp(parley.app);
    await chat.open(await chat.prepare("A private question", "A private answer"));
    await expect(chat.answer("A private answer")).toBeVisible();
    const other = await context.newPage();
    await other.goto("/login");
    // A sign-in stores the person first, then the token.
    await other.evaluate(
      ([user, token]) => {
        localStorage.setItem("user", user);
        localStorage.setItem("access_token", token);
      },
      [JSON.stringify(next.user), next.token] as const,
    );
    await expect(chat.messages).toHaveCount(0);
    await expect(chat.page.getByText(/private/)).toHaveCount(0);
    await expect((await chat.sidebar()).getByText(next.user.username, { exact: true })).toBeVisible();
  });
});
