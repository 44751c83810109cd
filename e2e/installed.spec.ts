import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { signUp } from "../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../testing/app/start-test-app.ts";
import { FaultProxy } from "../testing/servers/fault-proxy.ts";
import { ChatScreen, expect, failedRequest, test } from "./chat-screen.ts";

// The installed application depends on the manifest and on the service worker, which caches the files of a build.

test.use({ serviceWorkers: "allow", expectedErrors: [/net::ERR_|status of 50[234]|could not be (checked|read)/] });

/** Waits until the files of the build, with its lazy modules, are cached. */
async function kept(page: Page): Promise<void> {
  const files = await filesOfBuild(page);
  expect(files.length).toBeGreaterThan(20);
  // One after the other, in the order of the build: one of them says nothing about the others.
  await expect
    .poll(async () => {
      const paths = new Set(await keptPaths(page));
      return files.filter((path) => !paths.has(path));
    })
    .toEqual([]);
}

/** Returns the paths of the scripts that the service worker caches. */
function filesOfBuild(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    const script = await (await fetch(active?.scriptURL ?? "")).text();
    return [...new Set([...script.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([path]) => path))];
  });
}

/** Returns the path and query of every request in the browser's caches. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const all: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      all.push(...requests.map(({ url }) => url.slice(location.origin.length)));
    }
    return all;
  });
}

/** Returns all content of the browser's caches as one text. */
function keptText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) texts.push((await (await cache.match(request))?.text()) ?? "");
    }
    return texts.join("\n");
  });
}

test("the application can be installed", async ({ page, parley }) => {
  await page.goto("/login");
  await kept(page);
  const devtools = await page.context().newCDPSession(page);
  const { url, errors, data } = await devtools.send("Page.getAppManifest");
  expect(url).toBe(`${parley.app.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? "");
  expect(manifest).toMatchObject({
    id: "/chat",
    name: "Parley",
    start_url: "/chat",
    scope: "/",
    display: "standalone",
  });
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Chromium reports the window of a test as incognito.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  const touched = await page.getAttribute("link[rel=apple-touch-icon]", "href");
  const icons = [...manifest.icons, { src: touched, sizes: "180x180", type: "image/png" }];
  for (const { src, sizes, type } of icons) {
    const icon = await page.request.get(src);
    expect(icon.headers()["content-type"]).toBe(type);
    if (type !== "image/png") continue;
    const body = await icon.body();
    expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes);
  }
});

test("the application opens offline and stores a draft, and continues automatically when the network is back", async ({
  chat,
  page,
  context,
  provider,
}) => {
  const one = await chat.prepare("The one chat", "Its answer");
  await chat.open(one);
  await expect(chat.answer("Its answer")).toBeVisible();
  await kept(page);
  await chat.box.fill("Half a thought");
  await context.setOffline(true);
  await page.reload();
  await expect(chat.banner).toContainText("You are offline.");
  await expect(chat.box).toBeVisible();
  await context.setOffline(false);
  await expect(chat.answer("Its answer")).toBeVisible();
  await expect(chat.banner).toBeHidden();
  await expect(chat.box).toHaveValue("Half a thought");
  await chat.sidebar();
  await expect(chat.entry("The one chat")).toBeVisible();
  await chat.leaveSidebar();

  await context.setOffline(true);
  await page.goto("/");
  await expect(chat.banner).toContainText("You are offline.");
  await chat.send("Written in a tunnel");
  await expect(chat.question("Written in a tunnel")).toContainText("Waiting for the connection…");
  await context.setOffline(false);
  await expect(chat.answer("This is a scripted reply")).toBeVisible();
  await expect(chat.banner).toBeHidden();
  expect(provider.chats).toHaveLength(1);
});

test.describe("a page with an invalid key in its address", () => {
  test.use({ expectedErrors: [failedRequest(400)] });

  test("the caches hold no personal data, neither while signed in nor afterwards", async ({ chat, page }) => {
    const one = await chat.prepare("A confession", "An absolution");
    await chat.open(one);
    await kept(page);
    await page.reload();
    await expect(chat.answer("An absolution")).toBeVisible();
    await chat.ask("Another confession");
    const refused = page.waitForResponse((response) => response.status() === 400);
    await page.goto("/verify-email?key=secret-key&email=somebody@example.org");
    await refused;
    await page.goto("/chat");
    const { username, email } = chat.account.user;
    for (const moment of ["signed in", "signed out"]) {
      const paths = await keptPaths(page);
      expect(paths.length).toBeGreaterThan(30);
      expect({
        moment,
        others: paths.filter((path) => !/^\/$|^\/assets\/[^/?]+$|^\/[\w./-]+\.\w+$/.test(path)),
      }).toEqual({
        moment,
        others: [],
      });
      expect(paths.filter((path) => path.startsWith("/api"))).toEqual([]);
      const text = await keptText(page);
      for (const word of [username, email, one, "confession", "absolution", "secret-key", "Another confession"]) {
        expect(text).not.toContain(word);
      }
      if (moment === "signed in") {
        await (await chat.sidebar()).getByRole("button", { name: "Logout" }).click();
        await expect(page).toHaveURL("/login");
      }
    }
  });
});

/** Copies the build as the next version: the document is changed, and one lazy module is no longer served. */
async function nextBuild(folder: string): Promise<void> {
  const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));
  await cp(webFolder, folder, { recursive: true });
  const assets = await readdir(join(folder, "assets"));
  for (const file of assets.filter((name) => name.startsWith("settings-page-"))) await rm(join(folder, "assets", file));
  const change = async (file: string, by: (text: string) => string) => {
    const path = join(folder, file);
    await writeFile(path, by(await readFile(path, "utf8")));
    for (const packed of [`${path}.br`, `${path}.gz`]) await rm(packed, { force: true });
  };
  await change("index.html", (html) => html.replace("</head>", '<meta name="build" content="next"></head>'));
  await change("sw.js", (script) =>
    script.replace(/"id":"\w+"/, '"id":"next"').replace(/"\/assets\/settings-page-[^"]+",?/, ""),
  );
}

test("a new build is used by the next page, and a page of the old build still loads its modules", async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-next-"));
  await nextBuild(folder);
  await using harness = await createTestHarness();
  const target = { host: "127.0.0.1", port: 0 };
  await using proxy = new FaultProxy(target);
  await proxy.listen();
  const address = `http://127.0.0.1:${proxy.port}`;
  const start = async (webFolder: string) => {
    const app = await startTestApp({ harness, env: { PUBLIC_URL: address }, webFolder });
    target.port = Number(new URL(app.url).port);
    return app;
  };
  const first = await start(fileURLToPath(new URL("../build/web", import.meta.url)));
  const account = await signUp(first);
  const context = await browser.newContext({ baseURL: address, serviceWorkers: "allow" });
  await context.addInitScript(
    ([token, user]) => {
      localStorage.setItem("access_token", token);
      localStorage.setItem("user", user);
    },
    [account.token, JSON.stringify(account.user)] as const,
  );
  const old = new ChatScreen(await context.newPage(), first, account);
  await old.open();
  await kept(old.page);
  const caches = () => old.page.evaluate(() => window.caches.keys());
  const [before] = await caches();
  await first[Symbol.asyncDispose]();
  await using second = await start(folder);

  const fresh = new ChatScreen(await context.newPage(), second, account);
  await fresh.open();
  await expect(fresh.page.locator("meta[name=build]")).toHaveCount(1);
  await expect.poll(caches).toEqual([before, "parley-next"]);

  // The server no longer has the settings module of the old build.
  await old.page.getByRole("button", { name: new RegExp(account.user.username) }).click();
  await old.page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(old.page.getByRole("heading", { name: "Account", level: 1 })).toBeVisible();
  await expect(old.page.locator("meta[name=build]")).toHaveCount(0);

  // The old files are deleted once no page uses them.
  await old.page.close();
  await fresh.page.close();
  const later = await context.newPage();
  await later.goto("/chat");
  await expect.poll(() => later.evaluate(() => window.caches.keys())).toEqual(["parley-next"]);
  await context.close();
  await rm(folder, { recursive: true });
});
