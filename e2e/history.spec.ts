import { signUp } from "../testing/accounts/sign-up.ts";
import { ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";

const HISTORY = /\/api\/chat-history/;
const ONE_CHAT = /\/api\/chat\/[^/?]+$/;

test("the list shows Loading... until it is loaded @proof", async ({ chat, page }) => {
  await chat.prepare("An old question", "An old answer");
  const released = Promise.withResolvers<void>();
  await page.route(HISTORY, async (route) => {
    await released.promise;
    await route.continue();
  });
  await chat.open();
  const sidebar = await chat.sidebar();
  await expect(sidebar.getByText("Loading...")).toBeVisible();
  released.resolve();
  await expect(chat.entry("An old question")).toBeVisible();
  await expect(sidebar.getByText("Loading...")).toBeHidden();
});

test("an empty list explains that chats will be listed there @every-screen @proof", async ({ chat }) => {
  await chat.open();
  const sidebar = await chat.sidebar();
  await expect(sidebar.getByText("Your chats will be listed here.")).toBeVisible();
});

test.describe("a list of chats that cannot be loaded", () => {
  test.use({ expectedErrors: [failedRequest(500)] });

  test("a list of chats that cannot be loaded shows an error to dismiss @every-screen @proof", async ({
    chat,
    page,
  }) => {
    await page.route(HISTORY, (route) => route.fulfill({ status: 500, body: "" }));
    await chat.open();
    await expect(chat.banner).toHaveText("Your chats could not be loaded. Please reload the page.");
    await chat.banner.getByRole("button", { name: "Close" }).click();
    await expect(chat.banner).toBeHidden();
    await expect((await chat.sidebar()).getByText("Your chats will be listed here.")).toBeHidden();
  });
});

test("chats are listed newest first, and a click opens and marks one @every-screen", async ({ chat, page }) => {
  await chat.open();
  await chat.ask("About apples");
  await (await chat.sidebar()).getByRole("button", { name: "New chat" }).click();
  await expect(chat.welcome).toBeVisible();
  await chat.ask("About bears");
  await chat.sidebar();
  await expect(chat.entry("A fitting title").or(chat.entry(/^About/))).toHaveCount(2);
  const links = page.getByRole("navigation", { name: "Chats" }).getByRole("link");
  await expect(links.first()).toHaveAttribute("aria-current", "page");
  await expect(links.last()).not.toHaveAttribute("aria-current");
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  await links.last().click();
  await expect(chat.question("About apples")).toBeVisible();
  await expect(chat.question("About bears")).toBeHidden();
  await chat.sidebar();
  await expect(links.last()).toHaveAttribute("aria-current", "page");
  await expect(links.first()).not.toHaveAttribute("aria-current");
});

test("New chat adds an empty chat at the top and opens it @every-screen @proof", async ({ chat, page }) => {
  const old = await chat.prepare("An old question", "An old answer");
  await chat.open(old);
  await expect(chat.question("An old question")).toBeVisible();
  await (await chat.sidebar()).getByRole("button", { name: "New chat" }).click();
  await expect(chat.welcome).toBeVisible();
  await expect(page).not.toHaveURL(`/chat?c=${old}`);
  const [first] = await chat.history();
  await expect(page).toHaveURL(`/chat?c=${first?.id}`);
  await chat.sidebar();
  await expect(chat.entry("New chat").first()).toHaveAttribute("aria-current", "page");
  expect(await chat.history()).toHaveLength(2);
});

test.describe("a chat that cannot be created", () => {
  test.use({ expectedErrors: [failedRequest(500)] });

  test("a chat that cannot be created shows an error, and its text stays in the box @proof", async ({ chat, page }) => {
    await page.route(/\/api\/chat$/, (route) => route.fulfill({ status: 500, body: "" }));
    await chat.open();
    await chat.send("Words that must not be lost");
    await expect(chat.banner).toHaveText("A new chat could not be started. Please try again.");
    await expect(chat.box).toHaveValue("Words that must not be lost");
    await page.unroute(/\/api\/chat$/);
    await chat.box.press("Enter");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
    await expect(chat.banner).toBeHidden();
    expect(await chat.history()).toHaveLength(1);
  });
});

test("deleting another chat keeps the open one selected, and can be undone @every-screen", async ({
  chat,
  page,
  isMobile,
}) => {
  const other = await chat.prepare("The other question");
  const current = await chat.prepare("The current question", "The current answer");
  await chat.open(current);
  const sidebar = await chat.sidebar();
  const line = sidebar.getByRole("listitem").filter({ has: page.locator(`a[href$="${other}"]`) });
  const remove = async () => {
    if (isMobile) return (await chat.openMenu("The other question")).getByRole("menuitem", { name: "Delete" }).tap();
    await line.hover();
    await line.getByRole("button", { name: "Delete The other question" }).click();
  };
  await remove();
  await expect(line).toBeHidden();
  const deleted = page
    .getByRole("region", { name: "Notifications" })
    .filter({ hasText: "“The other question” deleted" });
  await deleted.getByRole("button", { name: "Undo" }).click();
  await expect(line).toBeVisible();
  await expect(deleted).toBeHidden();
  expect(await chat.history()).toHaveLength(2);
  await expect(page).toHaveURL(`/chat?c=${current}`);

  await remove();
  await expect(line).toBeHidden();
  await expect(chat.entry("The current question")).toBeFocused();
  await expect(page).toHaveURL(`/chat?c=${current}`);
  await chat.leaveSidebar();
  await expect(chat.question("The current question")).toBeVisible();
  await expect.poll(() => chat.history()).toEqual([expect.objectContaining({ id: current })]);
});

test("deleting the current chat shows the next one, and after the last one the welcome screen @proof", async ({
  chat,
  page,
}) => {
  const oldest = await chat.prepare("The oldest question");
  const middle = await chat.prepare("The middle question");
  const newest = await chat.prepare("The newest question");
  await chat.open(middle);
  await expect(chat.question("The middle question")).toBeVisible();
  for (const [current, next, shown] of [
    [middle, newest, "The newest question"],
    [newest, oldest, "The oldest question"],
  ] as const) {
    await deleteChat(chat, current);
    await expect(page).toHaveURL(`/chat?c=${next}`);
    await chat.leaveSidebar();
    await expect(chat.question(shown)).toBeVisible();
  }
  await deleteChat(chat, oldest);
  await expect(page).toHaveURL("/chat");
  await chat.leaveSidebar();
  await expect(chat.welcome).toBeVisible();
  await expect.poll(() => chat.history()).toEqual([]);
});

test("deleting a chat with a running reply aborts the reply @proof", async ({ chat, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon");
  await expect(chat.answer("Once upon")).toBeVisible();
  const [made] = await chat.history();
  await deleteChat(chat, made?.id ?? "");
  await chat.leaveSidebar();
  await expect(chat.welcome).toBeVisible();
  await expect(chat.banner).toBeHidden();
  await (await provider.chat(1)).closed;
  expect(provider.chats[0]?.isAborted).toBe(true);
});

test.describe("a deletion, or the read after it, that fails", () => {
  test.use({ expectedErrors: [failedRequest(500)] });

  test("the welcome screen opens with a working box if the next chat cannot be loaded @proof", async ({
    chat,
    page,
  }) => {
    const next = await chat.prepare("The next question");
    const current = await chat.prepare("The current question");
    await page.route(`**/api/chat/${next}`, (route) => route.fulfill({ status: 500, body: "" }));
    await chat.open(current);
    await expect(chat.question("The current question")).toBeVisible();
    await deleteChat(chat, current);
    await chat.leaveSidebar();
    await expect(chat.welcome).toBeVisible();
    await expect(chat.banner).toBeVisible();
    await chat.ask("Is anybody there?");
    await expect(chat.answer("This is a scripted reply")).toBeVisible();
  });

  test("a chat stays, with an error, if its deletion fails @proof", async ({ chat, page }) => {
    const current = await chat.prepare("The current question");
    await page.route(ONE_CHAT, (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ status: 500, body: "" }) : route.continue(),
    );
    await chat.open(current);
    await expect(chat.question("The current question")).toBeVisible();
    await deleteChat(chat, current);
    await chat.leaveSidebar();
    await expect(chat.banner).toHaveText("Failed to delete chat");
    await expect(chat.question("The current question")).toBeVisible();
    await chat.sidebar();
    await expect(chat.entry("The current question")).toBeVisible();
  });
});

test("Back and Forward switch between chats, and a reload keeps the chat", async ({ chat, page }) => {
  const first = await chat.prepare("The first question");
  const second = await chat.prepare("The second question");
  await chat.open(first);
  await expect(chat.question("The first question")).toBeVisible();
  await chat.sidebar();
  await page.locator(`a[href$="${second}"]`).locator("visible=true").click();
  await expect(chat.question("The second question")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`/chat?c=${first}`);
  await expect(chat.question("The first question")).toBeVisible();
  await expect(chat.question("The second question")).toBeHidden();
  await page.goForward();
  await expect(chat.question("The second question")).toBeVisible();
  await page.reload();
  await expect(chat.question("The second question")).toBeVisible();
  await page.goBack();
  await expect(chat.question("The first question")).toBeVisible();
});

test.describe("the URL of a chat that this account does not have", () => {
  test.use({ expectedErrors: [failedRequest(404)] });

  test("the address of another account's chat opens the welcome screen @proof", async ({ chat, page, parley }) => {
    const otherAccount = new ChatScreen(page, parley.app, await signUp(parley.app));
    const foreign = await otherAccount.prepare("Another account's secret");
    for (const id of [foreign, "no-such-chat", "%3Cscript%3E"]) {
      await chat.open(id);
      await expect(chat.welcome).toBeVisible();
      await expect(page.getByText("Another account's secret")).toHaveCount(0);
      await expect(chat.banner).toContainText("That chat no longer exists.");
    }
    await chat.ask("My own question");
    expect(await otherAccount.read(foreign)).toMatchObject({ messages: [{ content: "Another account's secret" }] });
    const [made] = await chat.history();
    await expect(page).toHaveURL(`/chat?c=${made?.id}`);
  });
});

test.describe("a chat that cannot be loaded", () => {
  test.use({ expectedErrors: [failedRequest(500)] });

  test("a chat that cannot be loaded shows an error, and opens on the next attempt @proof", async ({ chat, page }) => {
    const one = await chat.prepare("A question");
    await page.route(ONE_CHAT, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`/chat?c=${one}`);
    await expect(chat.banner).toHaveText("This chat could not be loaded. Please try again.");
    await page.unroute(ONE_CHAT);
    await chat.choose("A question");
    await expect(chat.question("A question")).toBeVisible();
  });
});

test("a long history loads by pages while it is scrolled @every-screen", async ({ chat, page }) => {
  await Promise.all(Array.from({ length: 120 }, () => chat.call("POST", "/chat")));
  await chat.open();
  const sidebar = await chat.sidebar();
  const links = sidebar.getByRole("link");
  await expect(links).toHaveCount(100);
  await sidebar.getByRole("button", { name: "Show older chats" }).scrollIntoViewIfNeeded();
  await expect(links).toHaveCount(120);
  await expect(sidebar.getByRole("button", { name: "Show older chats" })).toBeHidden();
  await expect(page.getByRole("navigation").getByText("Loading...")).toBeHidden();
});

test.describe("a page of the history that cannot be loaded", () => {
  test.use({ expectedErrors: [failedRequest(500)] });

  test("a page of the history that failed is requested again only on a click @every-screen", async ({ chat, page }) => {
    const first = Array.from({ length: 100 }, (_, i) => ({
      id: `id${i}`,
      title: `Chat ${i}`,
      updatedAt: Date.now() - i,
    }));
    let failures = 0;
    await page.route(/\/api\/chat-history\?/, async (route) => {
      if (!route.request().url().includes("before=")) return route.fulfill({ json: first });
      failures += 1;
      await route.fulfill({ status: 500, body: "" });
    });
    await chat.open();
    const more = (await chat.sidebar()).getByRole("button", { name: "Show older chats" });
    await more.scrollIntoViewIfNeeded();
    // Located by its text: on a phone the banner lies behind the drawer.
    await expect(page.getByText("Your chats could not be loaded. Please reload the page.")).toBeVisible();
    await expect(more).toBeVisible();
    const again = page.waitForResponse(/before=/);
    await more.click();
    await again;
    await expect(more).toBeVisible();
    // Two frames: an automatic retry would run in the frame after the button is shown again.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(failures).toBe(2);
  });
});

test("the account has a Logout button, which leads to sign-in and clears the session @every-screen @proof", async ({
  chat,
  page,
}) => {
  await chat.open();
  const sidebar = await chat.sidebar();
  await expect(sidebar.getByText(chat.account.user.username, { exact: true })).toBeVisible();
  await sidebar.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/login");
  const kept = await page.evaluate(() => [localStorage.getItem("access_token"), localStorage.getItem("user")]);
  expect(kept).toEqual([null, null]);
  await page.goto("/chat");
  await expect(page).toHaveURL("/login");
});

test("the account is called User until its data is loaded @proof", async ({ chat, page }) => {
  const released = Promise.withResolvers<void>();
  await page.route(/\/api\/auth\/me$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.addInitScript(() => localStorage.removeItem("user"));
  await chat.open();
  await expect((await chat.sidebar()).getByText("User", { exact: true })).toBeVisible();
  released.resolve();
  const name = page.getByRole("navigation", { name: "Chats" }).getByText(chat.account.user.username, { exact: true });
  await expect(name).toBeVisible();
});

test("the header has a Logout button too, which asks for confirmation if there is a draft @every-screen @proof", async ({
  chat,
  page,
}) => {
  await chat.open(await chat.prepare("A question", "An answer"));
  await chat.box.fill("Not sent yet");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Log out and lose your draft?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(chat.box).toHaveValue("Not sent yet");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await dialog.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/login");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft:")))).toEqual([]);
});

async function deleteChat(chat: ChatScreen, id: string): Promise<void> {
  const line = (await chat.sidebar()).getByRole("listitem").filter({ has: chat.page.locator(`a[href$="${id}"]`) });
  await line.hover();
  await line.getByRole("button", { name: /^Delete / }).click();
}
