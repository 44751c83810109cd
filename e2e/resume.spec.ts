import { SITE_NOTICE_PATH } from "#contract/administration/site-notice.ts";
import { signUpAs } from "../testing/accounts/roles.ts";
import { signUp } from "../testing/accounts/sign-up.ts";
import { startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { ChatScreen, expect, test } from "./chat-screen.ts";
import { RestartingServer } from "./restarting-server.ts";

test("a reload in the middle of a reply shows the earlier text and continues", async ({ chat, page, provider }) => {
  await chat.open();
  await chat.send("[scenario:held] A long story.");
  provider.release("Once upon a time");
  const words = chat.messages.last().getByText(/^Once upon/);
  await expect(words).toHaveText("Once upon a time");
  await page.reload();
  await expect(words).toHaveText("Once upon a time");
  await expect(chat.stopButton).toBeVisible();
  provider.release(" there was a fox");
  await expect(words).toHaveText("Once upon a time there was a fox");
  await page.reload();
  provider.release(" in a wood.");
  await expect(words).toHaveText("Once upon a time there was a fox in a wood.");
  provider.finish();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.messages).toHaveCount(2);
  expect(provider.chats).toHaveLength(1);
});

test("a resumed reply never becomes shorter", async ({ chat, page, provider }) => {
  provider.reply = Array.from({ length: 80 }, (_, count) => `word${count}`).join(" ");
  await chat.open();
  await chat.send("[scenario:slow] A long story.");
  await expect(chat.answer("word5")).toBeVisible();
  await page.addInitScript(() => {
    const lengths: number[] = [];
    Object.assign(window, { lengths });
    const look = () => {
      const answer = [...document.querySelectorAll("ol > li")].at(-1);
      if (answer?.textContent?.startsWith("Server"))
        lengths.push(answer.querySelector(".reply")?.textContent.length ?? 0);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await expect(chat.answer("word79")).toBeVisible();
  const lengths = await page.evaluate(() => (window as unknown as { lengths: number[] }).lengths);
  expect(lengths.length).toBeGreaterThan(0);
  expect(lengths.filter((length, at) => length < (lengths[at - 1] ?? 0))).toEqual([]);
});

test("a reply continues automatically after a restart, with a mark at its seam @every-screen", async ({ browser }) => {
  await using provider = await startScriptedProvider();
  await using server = await RestartingServer.open();
  const env = { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl };
  const first = await server.start(env);
  const account = await signUp(first);
  const { page, context } = await server.openPage(browser, account);
  const chat = new ChatScreen(page, first, account);
  await chat.open();
  provider.next("held");
  await chat.send("A long story.");
  provider.release("Once upon a time");
  await expect(chat.answer("Once upon a time")).toBeVisible();
  await server.stop();
  await expect(chat.answer("Once upon a time")).toContainText("Reconnecting…");
  provider.next("held");
  await server.start(env);
  provider.release(" there was a fox.");
  provider.finish();
  await expect(chat.answer("Once upon a time there was a fox.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.messages.getByRole("img", { name: "Continued after an interruption" })).toHaveCount(1);
  await expect(chat.banner).toBeHidden();
  await expect(page.getByText("Reconnecting…")).toBeHidden();
  await context.close();
});

test("an open page shows the models and the name of a server that returned with a key", async ({ browser }) => {
  await using provider = await startScriptedProvider();
  await using server = await RestartingServer.open();
  const first = await server.start({});
  const account = await signUpAs(first, "owner");
  const { page, context } = await server.openPage(browser, account);
  // Their module watches the models.
  const notices = page.waitForResponse((response) => response.url().endsWith(SITE_NOTICE_PATH));
  await page.goto("/chat");
  await expect(page.getByRole("button", { name: "Model: Demo assistant" })).toBeVisible();
  await notices;
  await server.stop();
  await server.start({ OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl, PRODUCT_NAME: "Salon" });
  await expect(page.getByText(/^gpt-\S+ and \d+ more models are connected\.$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Model: Automatic" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "You are the owner of Salon" })).toBeVisible();
  await context.close();
});
