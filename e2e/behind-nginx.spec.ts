import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { expect, test } from "@playwright/test";
import { findNginx } from "../scripts/find-nginx.ts";
import { findPostgres, findRedis } from "../scripts/test/services.ts";
import { type Account, registerAtProcess } from "../testing/accounts/process-account.ts";
import { createPostgresDatabase } from "../testing/database/test-database.ts";
import { type ScriptedProvider, startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { openNginxFront } from "../testing/servers/nginx-front.ts";
import { ServerProcess } from "../testing/servers/server-process.ts";
import { signIn } from "./fixtures.ts";

type Site = { url: string; provider: ScriptedProvider; servers: ServerProcess[]; account: Account };

/** Starts three processes on one PostgreSQL and one Redis, behind nginx. */
async function openSite(nginx: string, redisUrl: string, opened: AsyncDisposableStack): Promise<Site> {
  const provider = opened.use(await startScriptedProvider());
  const database = opened.use(await createPostgresDatabase());
  const folder = opened.adopt(await mkdtemp(join(tmpdir(), "parley-e2e-")), (path) => rm(path, { recursive: true }));
  const front = await openNginxFront(nginx, opened);
  const env = {
    ...front.env,
    ...{ DATABASE_URL: database.url, REDIS_URL: redisUrl, SECRET_KEY: "kIb4ATZsNv2QXo7gqLr9uEwC1yHfD8mP" },
    ...{ OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "200" },
  };
  const servers: ServerProcess[] = [];
  for (const [at, address] of front.addresses.entries()) {
    const dataDir = join(folder, `server-${at}`);
    await mkdir(dataDir);
    const server = opened.use(new ServerProcess(`server-${at}`, dataDir, { ...env, ...address }));
    await server.start();
    servers.push(server);
  }
  const [first] = servers;
  if (!first) throw new Error("No process was started");
  return { url: front.url, provider, servers, account: await registerAtProcess(first, servers) };
}

async function openTab(browser: Browser, { url, account }: Site): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto("/login");
  await signIn(page, account.username, account.password);
  await expect(page.getByPlaceholder("Message ChatGPT...")).toBeVisible();
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  const box = page.getByPlaceholder("Message ChatGPT...");
  await box.fill(text);
  await box.press("Enter");
}

const messages = (page: Page) =>
  page.getByRole("region", { name: "Conversation" }).locator("ol").first().locator(":scope > li");
const answer = (page: Page, text: string) =>
  messages(page)
    .filter({ hasText: /^Server/ })
    .filter({ hasText: text });
const isIdle = (page: Page) => expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();

test("replies survive killed and restarted processes behind nginx", async ({ browser }) => {
  const [nginx, postgres, redis] = [findNginx(), await findPostgres(), await findRedis()];
  const isThere = nginx !== undefined && postgres !== undefined && redis !== undefined;
  test.skip(!isThere && !process.env.CI, "needs nginx, PostgreSQL and Redis");
  await using opened = new AsyncDisposableStack();
  const site = await openSite(nginx ?? "", redis ?? "", opened);
  const { provider, servers } = site;
  const page = await openTab(browser, site);
  const other = await openTab(browser, site);

  await test.step("words are streamed to both tabs", async () => {
    await send(page, "[scenario:held] A long story.");
    provider.release("Once upon a time");
    await expect(answer(page, "Once upon a time")).toBeVisible();
    await other
      .getByRole("navigation", { name: "Chats" })
      .getByRole("link", { name: /long story/ })
      .click();
    await expect(answer(other, "Once upon a time")).toBeVisible();
  });

  await test.step("another process continues the reply of a killed one", async () => {
    const [call] = provider.chats;
    provider.reply = " there was a fox.";
    for (const server of servers) {
      await server.end("SIGKILL");
      await server.start();
      if (call?.isAborted) break;
    }
    expect(call?.isAborted).toBe(true);
    for (const tab of [page, other]) {
      await expect(answer(tab, "Once upon a time there was a fox.")).toBeVisible();
      await isIdle(tab);
      await expect(messages(tab)).toHaveCount(2);
    }
  });

  await test.step("Stop reaches the process that writes the reply", async () => {
    await send(page, "[scenario:held] Another one.");
    provider.release("There was a hare");
    await expect(answer(other, "There was a hare")).toBeVisible();
    await other.getByRole("button", { name: "Stop", exact: true }).click();
    for (const tab of [page, other]) await isIdle(tab);
    await expect(answer(page, "There was a hare")).toBeVisible();
  });

  await test.step("a message that is sent during a rolling restart is answered once", async () => {
    provider.reply = "And they lived happily ever after.";
    const rolled = (async () => {
      for (const server of servers) {
        await server.end("SIGTERM");
        await server.start();
      }
    })();
    await send(page, "[scenario:fast] How does it end?");
    await rolled;
    for (const tab of [page, other]) {
      await expect(answer(tab, "happily ever after")).toHaveCount(1);
      await expect(messages(tab)).toHaveCount(6);
    }
    await page.reload();
    await expect(messages(page)).toHaveCount(6);
    await expect(messages(page).filter({ hasText: "How does it end?" })).toHaveCount(1);
  });
});
