import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { TestAccount } from "../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../testing/app/start-test-app.ts";
import { FaultProxy } from "../testing/servers/fault-proxy.ts";

const webFolder = fileURLToPath(new URL("../build/web", import.meta.url));

/** A server behind an address that stays when it restarts on its data, perhaps with other settings. */
export class RestartingServer implements AsyncDisposable {
  readonly address: string;
  readonly #harness: TestHarness;
  readonly #proxy: FaultProxy;
  readonly #target: { host: string; port: number };
  #app: TestApp | null = null;

  private constructor(harness: TestHarness, proxy: FaultProxy, target: { host: string; port: number }) {
    this.#harness = harness;
    this.#proxy = proxy;
    this.#target = target;
    this.address = `http://127.0.0.1:${proxy.port}`;
  }

  /** Reserves the address. No server runs yet. */
  static async open(): Promise<RestartingServer> {
    const harness = await createTestHarness();
    const target = { host: "127.0.0.1", port: 0 };
    const proxy = new FaultProxy(target);
    await proxy.listen();
    return new RestartingServer(harness, proxy, target);
  }

  async start(env: Record<string, string>): Promise<TestApp> {
    const all = { PUBLIC_URL: this.address, SHUTDOWN_GRACE_MS: "100", ...env };
    this.#app = await startTestApp({ harness: this.#harness, env: all, webFolder });
    this.#target.port = Number(new URL(this.#app.url).port);
    await this.#proxy.set("pass");
    return this.#app;
  }

  async stop(): Promise<void> {
    await this.#proxy.set("refuse");
    await this.#app?.[Symbol.asyncDispose]();
    this.#app = null;
  }

  /** Opens a page of a new browser in which the account is signed in. */
  async openPage(browser: Browser, account: TestAccount): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext({ baseURL: this.address });
    const page = await context.newPage();
    await page.addInitScript(
      ([token, user]) => {
        localStorage.setItem("access_token", token);
        localStorage.setItem("user", user);
      },
      [account.token, JSON.stringify(account.user)] as const,
    );
    return { page, context };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app?.[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    await this.#harness[Symbol.asyncDispose]();
  }
}
