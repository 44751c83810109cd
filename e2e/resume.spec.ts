import { signUp } from "../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../testing/app/start-test-app.ts";
import { startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { FaultProxy } from "../testing/servers/fault-proxy.ts";
import { ChatScreen, expect, test } from "./chat-screen.ts";

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
  await using harness = await createTestHarness();
  const target = { host: "127.0.0.1", port: 0 };
  await using proxy = new FaultProxy(target);
  await proxy.listen();
  const address = `http://127.0.0.1:${proxy.port}`;
  const webFolder = new URL("../build/web", import.meta.url).pathname;
  const env = {
    ...{ PUBLIC_URL: address, SHUTDOWN_GRACE_MS: "100" },
    ...{ OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl },
  };
  const start = async () => {
    const app = await startTestApp({ harness, env, webFolder });
    target.port = Number(new URL(app.url).port);
    return app;
  };
  const first = await start();
  const account = await signUp(first);
  const context = await browser.newContext({ baseURL: address });
  const page = await context.newPage();
  await page.addInitScript(
    ([token, user]) => {
      localStorage.setItem("access_token", token);
      localStorage.setItem("user", user);
    },
    [account.token, JSON.stringify(account.user)] as const,
  );
  const chat = new ChatScreen(page, first, account);
  await chat.open();
  provider.next("held");
  await chat.send("A long story.");
  provider.release("Once upon a time");
  await expect(chat.answer("Once upon a time")).toBeVisible();
  await proxy.set("refuse");
  await first[Symbol.asyncDispose]();
  await expect(chat.answer("Once upon a time")).toContainText("Reconnecting…");
  provider.next("held");
  await using _second = await start();
  await proxy.set("pass");
  provider.release(" there was a fox.");
  provider.finish();
  await expect(chat.answer("Once upon a time there was a fox.")).toBeVisible();
  await expect(chat.sendButton).toBeVisible();
  await expect(chat.messages.getByRole("img", { name: "Continued after an interruption" })).toHaveCount(1);
  await expect(chat.banner).toBeHidden();
  await expect(page.getByText("Reconnecting…")).toBeHidden();
  await context.close();
});
