import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/find-chromium.ts";
import type { Person } from "../clients/person.ts";
import { watchPage } from "./watch-page.ts";

export type WatchedOptions = {
  url: string;
  person: Person;
  /** Whether mutations of the document are checked; without the sanitiser they would report too much. */
  looksAtElements: boolean;
  /** Prepares the browser context, for example to serve another build. */
  prepare?: (context: BrowserContext) => Promise<void>;
};

/** A browser that records every effect of a text. */
export class WatchedBrowser implements AsyncDisposable {
  readonly context: BrowserContext;
  /** Recorded effects, each once. */
  readonly findings = new Set<string>();
  readonly #opened: AsyncDisposableStack;
  readonly #netLog: string;

  constructor(context: BrowserContext, netLog: string, opened: AsyncDisposableStack) {
    this.context = context;
    this.#netLog = netLog;
    this.#opened = opened;
  }

  async page(): Promise<Page> {
    const page = await this.context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on("dialog", (dialog) => {
      this.findings.add(`a dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("popup", (popup) => this.findings.add(`a window: ${popup.url()}`));
    page.on("download", (download) => this.findings.add(`a download: ${download.url()}`));
    page.on("framenavigated", (frame) => {
      // Frames without a URL, or whose page was blocked; watch-page.ts reports the frame itself.
      if (frame !== page.mainFrame() && /^(about:(srcdoc|blank)$|chrome-error:)/.test(frame.url())) return;
      if (!/^http:\/\/127\.0\.0\.1:\d+\/(chat(\?c=[\w-]+)?|blank|sandbox\/diagram\.html)?$/.test(frame.url()))
        this.findings.add(`a navigation to ${frame.url()}`);
    });
    return page;
  }

  /** Closes the browser. @returns all foreign hosts that its network service was asked for */
  async close(): Promise<Set<string>> {
    await this.#opened.disposeAsync();
    const log = await readFile(this.#netLog, "utf8");
    await rm(join(this.#netLog, ".."), { recursive: true, force: true });
    return new Set([...log.matchAll(/([\w-]+)\.leak\.example/g)].map(([, id = ""]) => id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
    await rm(join(this.#netLog, ".."), { recursive: true, force: true });
  }
}

/** Guards against hanging; long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run"];
/** Flags that must not be used here. */
const unwanted = ["--disable-background-networking"];

/** Opens a signed-in browser. */
export async function openWatchedBrowser(options: WatchedOptions): Promise<WatchedBrowser> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "parley-security-browser-"));
  const netLog = join(folder, "net-log.json");
  const executablePath = findChromium();
  // A persistent profile, because an incognito window does not prefetch DNS, which is checked too.
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    args: [...flags, `--log-net-log=${netLog}`],
    ignoreDefaultArgs: unwanted,
    baseURL: options.url,
    locale: "en-US",
    ...(executablePath !== undefined && { executablePath }),
  });
  opened.defer(() => context.close());
  const watched = new WatchedBrowser(context, netLog, opened.move());
  await watch(watched, options);
  return watched;
}

async function watch(
  watched: WatchedBrowser,
  { url, person, looksAtElements, prepare }: WatchedOptions,
): Promise<void> {
  const { context, findings } = watched;
  await context.exposeBinding("hit", (_source, id: unknown) => {
    findings.add(`${id} ran`);
  });
  await context.exposeBinding("tellFinding", (_source, finding: unknown) => {
    findings.add(String(finding));
  });
  // Not in frames: the renderer of diagrams draws its own styles, and other frames are findings of the page.
  if (looksAtElements) await context.addInitScript(`if (window.top === window) (${watchPage})()`);
  context.on("request", (request) => {
    // Requests that the policy blocks are not sent; the network log shows those that were.
    if (looksAtElements && !request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      findings.add(`a request to ${request.url()}`);
  });
  await prepare?.(context);
  await context.addInitScript(
    ([token, user]) => {
      if (location.origin === "null" || localStorage.getItem("access_token")) return;
      localStorage.setItem("access_token", token);
      localStorage.setItem("user", user);
    },
    [person.token, JSON.stringify(person.user)] as const,
  );
}
