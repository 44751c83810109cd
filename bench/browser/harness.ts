import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/find-chromium.ts";
import { MeasuredProcess } from "../harness/measured-process.ts";
import { type MeasuredParley, post, signUp, startParley } from "../harness/parley.ts";

/** The built server, the scripted provider of its models, and a Chromium. */
export type Harness = AsyncDisposable & {
  parley: MeasuredParley;
  /** Access token of the only account. */
  token: string;
  browser: Browser;
  sourceUrl: string;
  /** Opens a page in a new browser context, with the account signed in. */
  openPage: () => Promise<Page>;
};

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const viewport = { width: 1280, height: 800 };

/** `pages`: folder of the yardsticks' built page. */
export async function openHarness(pages = ""): Promise<Harness> {
  await using resources = new AsyncDisposableStack();
  const source = resources.use(new MeasuredProcess([here("shape-source.ts")], { PAGES: pages }));
  const sourceUrl = await source.saidUrl();
  const parley = resources.use(
    await startParley({
      OPENAI_API_KEY: "bench",
      OPENAI_BASE_URL: `${sourceUrl}/v1`,
      DAILY_REPLIES_PER_USER: "1000000",
      RATE_LIMITS: "off",
    }),
  );
  const token = await signUp(parley);
  const executablePath = findChromium();
  const browser = resources.use(
    await chromium.launch({ args: ["--no-sandbox"], ...(executablePath !== undefined && { executablePath }) }),
  );
  const user = await fetch(`${parley.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  const stored = await user.text();
  const all = resources.move();
  return {
    parley,
    token,
    browser,
    sourceUrl,
    openPage: async () => (await signedIn(browser, token, stored)).newPage(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function signedIn(browser: Browser, token: string, user: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, locale: "en-US" });
  await context.addInitScript(
    ([key, person]) => {
      localStorage.setItem("access_token", key);
      localStorage.setItem("user", person);
    },
    [token, user] as const,
  );
  return context;
}

/** Creates a chat with these messages. @returns its id */
export async function makeChat({ parley, token }: Harness, contents: readonly string[] = []): Promise<string> {
  const { id } = (await post(parley.url, "/chat", {}, token)) as { id: string };
  for (const [index, content] of contents.entries()) {
    await post(parley.url, `/chat/${id}/message`, { role: index % 2 === 0 ? "user" : "assistant", content }, token);
  }
  return id;
}

/** Opens a chat and waits until it can be used and its lazy modules are loaded. */
export async function openChat(page: Page, { parley }: Harness, chat: string): Promise<void> {
  await page.goto(`${parley.url}/chat?c=${chat}`);
  await page.getByRole("main").locator("textarea").waitFor();
  await page.waitForTimeout(SETTLED_AFTER_MS);
}

/** The page loads lazy modules two seconds after it is ready. */
const SETTLED_AFTER_MS = 3500;
