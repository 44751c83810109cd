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
  /** Whether each change of the document is looked at; without the sanitiser there would be much to tell. */
  looksAtElements: boolean;
  /** What stands between the browser and the server, such as another build. */
  prepare?: (context: BrowserContext) => Promise<void>;
};

/** A browser that notes everything that a text may have brought about. */
export class WatchedBrowser implements AsyncDisposable {
  readonly context: BrowserContext;
  /** What happened, each thing once. */
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
      // A frame without an address of its own, or that was refused its page; that there is one at all is told elsewhere.
      if (frame !== page.mainFrame() && /^(about:(srcdoc|blank)$|chrome-error:)/.test(frame.url())) return;
      if (!/^http:\/\/127\.0\.0\.1:\d+\/(chat(\?c=[\w-]+)?|blank|sandbox\/diagram\.html)?$/.test(frame.url()))
        this.findings.add(`the way to ${frame.url()}`);
    });
    return page;
  }

  /** Ends the browser. @returns the names of all foreign hosts that its network part was asked for */
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

/** A net against hanging, wide enough for a machine that is busy with other things. */
const TIMEOUT_MS = 60_000;

const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run"];
/** Nor with this. */
const unwanted = ["--disable-background-networking"];

/** Opens a browser in which somebody is signed in. */
export async function openWatchedBrowser(options: WatchedOptions): Promise<WatchedBrowser> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "parley-security-browser-"));
  const netLog = join(folder, "net-log.json");
  const executablePath = findChromium();
  // A private window would look up no name ahead of time, which is among what is looked for.
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
  if (looksAtElements) await context.addInitScript(watchPage);
  context.on("request", (request) => {
    // What the policy holds back never leaves: the network's own log tells of what did.
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
