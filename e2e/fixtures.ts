import { fileURLToPath } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { RegisterRequest } from "#contract/accounts/accounts.ts";
import type { ToolGroup } from "../server/tools/tool.ts";
import { signUp, type TestAccount } from "../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../testing/app/start-test-app.ts";
import { type ScriptedProvider, startScriptedProvider } from "../testing/provider/scripted-provider.ts";

export { expect } from "@playwright/test";

/** Server and scripted provider that the tests of one worker share; the server serves the built web application. */
export type Parley = { app: TestApp; provider: ScriptedProvider };

type Fixtures = {
  /** Patterns of console errors that this test causes; any other error fails it. */
  expectedErrors: RegExp[];
  /** Resets the worker's provider before each test: a short reply, at once. */
  beginning: undefined;
  /** A new account, signed in on the page. */
  account: TestAccount;
};

const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));

type WorkerFixtures = {
  parley: Parley;
  /** The providers that the server has a key for. */
  providers: string[];
  /** Further environment variables of the server. */
  serverEnv: Record<string, string>;
  /** Groups of tools besides those of the server. */
  toolGroups: readonly ToolGroup[];
};

/** Warning that Playwright itself logs when service workers are blocked. */
const WORKER_BLOCKED = "Service Worker registration blocked by Playwright";

export const test = base.extend<Fixtures, WorkerFixtures>({
  providers: [["OPENAI", "ANTHROPIC"], { scope: "worker", option: true }],
  serverEnv: [{}, { scope: "worker", option: true }],
  toolGroups: [[], { scope: "worker", option: true }],
  parley: [
    async ({ providers, serverEnv, toolGroups }, use) => {
      await using provider = await startScriptedProvider();
      const settings = providers.flatMap((name) => [
        [`${name}_API_KEY`, "scripted-key"],
        [`${name}_BASE_URL`, provider.baseUrl],
      ]);
      await using app = await startTestApp({
        webFolder,
        env: { ...Object.fromEntries(settings), ...serverEnv },
        toolGroups,
      });
      await use({ app, provider });
    },
    { scope: "worker" },
  ],
  beginning: [
    async ({ parley }, use) => {
      parley.provider.reset();
      await use(undefined);
    },
    { auto: true },
  ],
  baseURL: async ({ parley }, use) => use(parley.app.url),
  expectedErrors: [[], { option: true }],
  page: async ({ page, parley, expectedErrors }, use) => {
    const surprises: string[] = [];
    page.on("pageerror", (error) => surprises.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if ((message.type() === "error" || message.type() === "warning") && message.text() !== WORKER_BLOCKED)
        surprises.push(`${message.type()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(parley.app.url) && !/^(data|blob):/.test(url)) surprises.push(`request: ${url}`);
    });
    await use(page);
    expect(surprises.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([]);
  },
  account: async ({ page, parley }, use) => {
    const account = await signUp(parley.app);
    await page.addInitScript(
      ([token, user]) => {
        // The sandboxed frame of a diagram has no storage.
        if (window !== top || localStorage.getItem("e2e-signed-in")) return;
        localStorage.setItem("e2e-signed-in", "once");
        localStorage.setItem("access_token", token);
        localStorage.setItem("user", user);
      },
      [account.token, JSON.stringify(account.user)] as const,
    );
    await use(account);
  },
});

/** Matches the browser's console error for a response with that status. */
export const failedRequest = (status: number) => new RegExp(`status of ${status}`);

/** Returns the key that sends: Enter, or with Ctrl on a touch screen, where Enter alone starts a line. */
export const sendKey = (page: Page): Promise<string> =>
  page.evaluate(() => (matchMedia("(pointer: coarse)").matches ? "Control+Enter" : "Enter"));

/**
 * Asserts that axe finds nothing on the current page. Only the walk over all screens uses it, so that no screen is
 * scanned twice. Legacy mode needs no second page; frames have only diagrams.
 * @param rules ids of the rules to apply; none: all, and the size of targets, which axe leaves out by default
 * @param state name of the screen in the error
 */
export async function expectAccessible(page: Page, rules: readonly string[] = [], state = page.url()): Promise<void> {
  expect(
    base.info().file.endsWith("accessibility.spec.ts"),
    "axe scans belong to e2e/accessibility.spec.ts: add a row for the screen to its tables",
  ).toBe(true);
  // The source is large: a page that has it already gets an empty one.
  const isLoaded = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: "0" }) }).setLegacyMode().options({
    iframes: false,
    // Otherwise axe downloads the style sheets again, which no rule here needs and which fails offline.
    preload: { assets: ["media"] },
    resultTypes: ["violations"],
    ...(rules.length > 0
      ? { runOnly: { type: "rule", values: [...rules] } }
      : { rules: { "target-size": { enabled: true } } }),
  });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  expect.soft(found, state).toEqual([]);
}

/** Fills the registration form. */
export async function fillRegistration(page: Page, person: RegisterRequest): Promise<void> {
  await page.getByLabel("First Name", { exact: true }).fill(person.firstname);
  await page.getByLabel("Last Name", { exact: true }).fill(person.lastname);
  await page.getByLabel("Username", { exact: true }).fill(person.username);
  await page.getByLabel("Email", { exact: true }).fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(person.password);
}

export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Username", { exact: true }).fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}
