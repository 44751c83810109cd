import type { Page } from "@playwright/test";
import type { Row } from "../results/row.ts";
import { type Harness, makeChat, openHarness } from "./harness.ts";

/** Time after which a page that can be used is at rest. The chat page preloads further modules after two seconds. */
const AT_REST_MS = 1500;
/** Time in which these modules arrive. */
const IDLE_MS = 4000;

/** Bytes of the response as transferred, and of its headers alone. */
type Response = { url: string; type: string; bytes: number; headerBytes: number };

/** Catalogues of a language other than English. */
const TEXTS = /\/assets\/(shell|signed-in)-[^/]+\.js$/;

const kinds: Record<string, (response: Response) => boolean> = {
  scripts: ({ type, url }) => type === "Script" && !TEXTS.test(url),
  texts: ({ url }) => TEXTS.test(url),
  styles: ({ type }) => type === "Stylesheet",
  fonts: ({ type }) => type === "Font",
  "calls of the API": ({ url }) => new URL(url).pathname.startsWith("/api/"),
};

/**
 * Measures what a first visit transfers: each response with its headers, in Brotli, over HTTP/1.1. There is no
 * service worker, which would cache the build for later.
 */
export async function measureWire(): Promise<Row[]> {
  await using harness = await openHarness();
  await makeChat(harness, ["A question", "An answer"]);
  const german = () => harness.browser.newPage({ locale: "de-DE" });
  const english = () => harness.browser.newPage({ locale: "en-US" });
  const [signIn] = await visit(await english(), harness, "/login", "input[type=password]");
  const [inGerman] = await visit(await german(), harness, "/login", "input[type=password]");
  const [chat, idle] = await visit(await harness.openPage(), harness, "/chat", "main textarea");
  return [
    ...rowsOf("sign-in at rest", signIn, 125),
    ...rowsOf("sign-in in German, at rest", inGerman).filter(({ name }) => name.endsWith("texts")),
    ...rowsOf("chat at rest", chat, 330),
    ...rowsOf("chat, once idle", idle).slice(0, 1),
  ];
}

function rowsOf(page: string, responses: readonly Response[], allowed?: number): Row[] {
  const kb = (name: string, some: readonly Response[], of: (each: Response) => number): Row => ({
    name: `${page}: ${name}`,
    value: some.reduce((sum, each) => sum + of(each), 0) / 1000,
    unit: "kB",
  });
  const all = Object.entries(kinds).map(([name, isOfKind]) =>
    kb(name, responses.filter(isOfKind), ({ bytes }) => bytes),
  );
  const [scripts, ...others] = all.filter(({ value }) => value > 0);
  return [
    ...(scripts ? [{ ...scripts, ...(allowed !== undefined && { allowed }) }] : []),
    ...others,
    kb("everything", responses, ({ bytes }) => bytes),
    kb("headers of responses", responses, ({ headerBytes }) => headerBytes),
    { name: `${page}: requests`, value: responses.length, unit: "count" },
  ];
}

/** Returns the responses that had arrived when the page was at rest, and when it was idle. */
async function visit(
  page: Page,
  { parley }: Harness,
  path: string,
  usable: string,
): Promise<[atRest: Response[], idle: Response[]]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  // Without a service worker, whose downloads would answer later requests of the page from the HTTP cache.
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  const begun = new Map<string, Response>();
  const finished: Response[] = [];
  const responseOf = (id: string) => {
    const response = begun.get(id) ?? { url: "", type: "", bytes: 0, headerBytes: 0 };
    begun.set(id, response);
    return response;
  };
  cdp.on("Network.responseReceived", ({ requestId, type, response: { url } }) => {
    Object.assign(responseOf(requestId), { url, type });
  });
  cdp.on("Network.responseReceivedExtraInfo", ({ requestId, headersText = "" }) => {
    responseOf(requestId).headerBytes = headersText.length;
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const response = responseOf(requestId);
    response.bytes = encodedDataLength;
    if (response.url.startsWith("http")) finished.push(response);
  });
  await page.goto(`${parley.url}${path}`);
  await page.locator(usable).waitFor();
  await page.waitForTimeout(AT_REST_MS);
  const atRest = [...finished];
  await page.waitForTimeout(IDLE_MS);
  await page.context().close();
  return [atRest, finished];
}
