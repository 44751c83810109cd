import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fastify } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { type LinkPreview, serveSharedDocument } from "./shared-document.ts";

const built =
  '<!doctype html><title>Parley</title><script type="module" src="/shared-page/assets/page-abc123.js"></script>';
const TOKEN = "5up3r-S3cret_Token0000";
let folder: string;
let web: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-link-"));
  web = join(folder, "web");
  await mkdir(join(web, "shared-page/assets"), { recursive: true });
  await writeFile(join(web, "index.html"), "<!doctype html><title>Parley</title><p>The application");
  await writeFile(join(web, "shared-page/index.html"), built);
  await writeFile(join(web, "shared-page/assets/page-abc123.js"), "1");
  app = await startTestApp({ webFolder: web, env: { PRODUCT_NAME: "Tea & $1" } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Serves the document alone, with a preview for each link. */
async function htmlWith(preview: LinkPreview | null): Promise<string> {
  const alone = fastify();
  await serveSharedDocument(alone, { folder: web, productName: () => "Tea & $1", previewOf: async () => preview });
  const { body } = await alone.inject({ url: `/s/${TOKEN}` });
  await alone.close();
  return body;
}

/** Sends a request line that client libraries refuse to send. */
async function sendRaw(requestLine: string): Promise<void> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.write(`${requestLine} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toContain("HTTP/1.1 400");
}

it("every link is answered with the same document, whatever its token is", async () => {
  const answers = await Promise.all(
    [TOKEN, "x", "", "a/b", "%00", "..%2f..%2fetc", `${TOKEN}?q=1`, "favicon.svg", "index.html", "a".repeat(5000)].map(
      async (token) => {
        const response = await fetch(`${app.url}/s/${token}`);
        const headers = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
        return JSON.stringify([response.status, headers, await response.text()]);
      },
    ),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain("<title>Tea &amp; $1</title>");
});

it("the document of a link is neither cached nor listed, sends no referrer, sets no cookie and has the policy of all pages", async () => {
  for (const method of ["GET", "HEAD"]) {
    const { status, headers } = await fetch(`${app.url}/s/${TOKEN}`, { method, headers: { cookie: "a=b" } });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("etag")).toBeNull();
    const policy = headers.get("content-security-policy");
    expect(policy).toBe((await fetch(`${app.url}/chat`)).headers.get("content-security-policy"));
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
  }
});

it("a HEAD request of a link has the length of the document, and no body", async () => {
  const full = await (await fetch(`${app.url}/s/${TOKEN}`)).text();
  const response = await fetch(`${app.url}/s/${TOKEN}`, { method: "HEAD" });
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(full)));
  expect(await response.text()).toBe("");
});

it("a link refuses other methods", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const response = await fetch(`${app.url}/s/${TOKEN}`, { method });
    expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
  }
});

it("the document is at the paths of links only, and its files are cached for a year", async () => {
  expect((await fetch(`${app.url}/shared-page/index.html`)).status).toBe(404);
  const script = await fetch(`${app.url}/shared-page/assets/page-abc123.js`);
  expect(script.status).toBe(200);
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await (await fetch(`${app.url}/shares`)).text()).toContain("The application");
});

it("tokens of links are in no line of the log", async () => {
  const before = app.logLines.length;
  const paths = [
    `GET /s/${TOKEN}`,
    `HEAD /s/${TOKEN}`,
    `POST /s/${TOKEN}`,
    `GET /s/${TOKEN}/`,
    `GET /%73/${TOKEN}`,
    `GET //s/${TOKEN}`,
    `GET /S/${TOKEN}`,
    `GET /api/shared/${TOKEN}/nothing`,
    `DELETE /api/shared/${TOKEN}/nothing/1`,
  ];
  for (const path of paths) {
    const [method = "", target] = path.split(" ");
    await (await fetch(app.url + target, { method })).text();
  }
  await sendRaw(`GET http://chat.example/s/${TOKEN}`);
  await expect
    .poll(() => app.logLines.slice(before).filter((line) => line.includes('"request"')).length)
    .toBe(paths.length + 1);
  expect(app.logLines.join("\n")).not.toContain(TOKEN);
  expect(app.logLines.slice(before).map((line) => JSON.parse(line).path)).toContain("/s/*");
});

it("other paths are logged in full", async () => {
  await (await fetch(`${app.url}/shared/words`)).text();
  await expect.poll(() => app.logLines.some((line) => JSON.parse(line).path === "/shared/words")).toBe(true);
});

it("the preview of a link has its title and the product's name, escaped", async () => {
  const html = await htmlWith({ title: `</title><script>alert("1")</script> $& 'x'` });
  const title = "&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; $&amp; &#39;x&#39;";
  expect(html).toContain(`<title>${title}</title>`);
  expect(html).toContain(`<meta property="og:title" content="${title}" />`);
  expect(html).toContain('<meta property="og:site_name" content="Tea &amp; $1" />');
  expect(html.match(/<script/g)).toHaveLength(1);
});

it("without a preview the document names the product only", async () => {
  expect(await htmlWith(null)).toBe(built.replace("Parley", "Tea &amp; $$1"));
});
