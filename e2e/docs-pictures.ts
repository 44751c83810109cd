/**
 * Takes the pictures of `docs/pictures/` from the built application: `npm run build && node e2e/docs-pictures.ts`. With
 * the argument `administration` only those of the administration.
 */

import process from "node:process";

import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { findChromium } from "../scripts/find-chromium.ts";
import { signUp, type TestAccount } from "../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../testing/app/start-test-app.ts";
import { type ScriptedProvider, startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { animationsEnded } from "./looks.ts";
import { setAdministration } from "./pictured-administration.ts";
import { arabic, english, type Story } from "./pictured-chats.ts";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const wide = { viewport: { width: 1440, height: 1000 } };
const administrationLook = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** Time in which the lazy modules load after the page. */
const SETTLED_AFTER_MS = 4000;

type Teller = { app: TestApp; provider: ScriptedProvider; browser: Browser };
/** An account with chats, and a function that opens signed-in pages. */
type Scene = { chat: string; page: (look: BrowserContextOptions) => Promise<Page> };

await takePictures();

async function takePictures(): Promise<void> {
  await using provider = await startScriptedProvider();
  const env = { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl };
  const executablePath = findChromium();
  const args = ["--no-sandbox", "--disable-gpu"];
  await using browser = await chromium.launch({ args, ...(executablePath !== undefined && { executablePath }) });
  await takeAdministration(browser, env);
  if (process.argv[2] === "administration") return;
  await using app = await startTestApp({ webFolder: at("build/web"), env });
  const teller = { app, provider, browser };
  const inEnglish = await setScene(teller, "ada", "en", english);
  for (const colorScheme of ["light", "dark"] as const) {
    const suffix = colorScheme === "dark" ? "-dark" : "";
    const login = await browser.newPage({ ...wide, colorScheme });
    await login.goto(`${app.url}/login`);
    await login.getByRole("button", { name: "Sign In", exact: true }).waitFor();
    await take(login, `login${suffix}`);
    for (const [look, name] of [
      [wide, "chat"],
      [phone, "chat-phone"],
    ] as const) {
      const page = await inEnglish.page({ ...look, colorScheme });
      await openChat(page, app, inEnglish.chat);
      await take(page, name.replace("chat", `chat${suffix}`));
      if (look === wide) await takePalette(page, suffix);
    }
  }
  const inArabic = await setScene(teller, "layla", "ar", arabic);
  const page = await inArabic.page({ ...wide, locale: "ar" });
  await openChat(page, app, inArabic.chat);
  await take(page, "chat-arabic");
}

/** Pictures of the administration, as its owner sees it. */
async function takeAdministration(browser: Browser, env: Readonly<Record<string, string>>): Promise<void> {
  // No mail is sent, so that nothing connects to the mail server.
  const more = { ANTHROPIC_API_KEY: "scripted-key", MONTHLY_BUDGET_USD: "20", SMTP_URL: "smtp://127.0.0.1:9" };
  await using app = await startTestApp({ webFolder: at("build/web"), env: { ...env, ...more } });
  const { owner } = await setAdministration(app);
  const page = await signedInPage(browser, owner, "en", administrationLook);
  for (const name of ["overview", "people", "groups", "settings"]) {
    await page.goto(`${app.url}/administration/${name}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForTimeout(SETTLED_AFTER_MS);
    await take(page, name);
  }
  await page.context().close();
}

async function takePalette(page: Page, suffix: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await take(page, `palette${suffix}`);
  if (suffix !== "") return;
  await page.keyboard.type("rise");
  await page.locator("[role=option] mark").first().waitFor();
  await page.locator("[role=combobox][aria-expanded=true]").waitFor();
  await take(page, "search");
}

async function openChat(page: Page, { url }: TestApp, chat: string): Promise<void> {
  await page.goto(`${url}/chat?c=${chat}`);
  await page.locator("figure pre span span[style]").first().waitFor();
  await page.waitForTimeout(SETTLED_AFTER_MS);
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await animationsEnded(page);
  await page.screenshot({ path: at(`docs/pictures/${name}.png`) });
}

async function setScene({ app, provider, browser }: Teller, username: string, tag: string, story: Story) {
  const { token, user } = await signUp(app, { username, firstname: story.person[0], lastname: story.person[1] });
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await app.call(method, path, { token, body });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const make = async (path: string, body?: unknown): Promise<string> =>
    ((await (await call("POST", path, body)).json()) as { id: string }).id;
  const ids: string[] = [];
  for (const [place, { title, question, answer }] of story.chats.entries()) {
    provider.reply = answer;
    const id = await make("/chat");
    // An answer to a sent message is unread until it is shown; appended messages are not.
    if (place === story.chats.length - 1) await call("POST", `/chat/${id}/send`, { message: question });
    else {
      await call("POST", `/chat/${id}/message`, { role: "user", content: question });
      await call("POST", `/chat/${id}/message`, { role: "assistant", content: answer });
    }
    await call("PATCH", `/chat/${id}`, { title });
    ids.push(id);
  }
  const [pinned = "", filed = ""] = ids;
  const chat = ids.at(-1) ?? "";
  await call("PATCH", `/chat/${pinned}`, { isPinned: true });
  for (const name of story.folders.toReversed()) {
    const folderId = await make("/folders", { name });
    if (name === story.folders[0]) await call("PATCH", `/chat/${filed}`, { folderId });
  }
  const account = { token, user };
  const page = (look: BrowserContextOptions) => signedInPage(browser, account, tag, look);
  return { chat, page } satisfies Scene;
}

/** Opens a page in a new browser context, in which an account is signed in. @param tag language of the interface */
async function signedInPage(
  browser: Browser,
  { token, user }: Pick<TestAccount, "token" | "user">,
  tag: string,
  look: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US", serviceWorkers: "block", ...look });
  const kept = { access_token: token, user: JSON.stringify(user), "parley.language": tag };
  await context.addInitScript((items) => {
    if (window === top) for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, kept);
  return context.newPage();
}
