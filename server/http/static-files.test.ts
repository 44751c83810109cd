import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../testing/start-test-app.ts";

const built = '<!doctype html><meta name="application-name" content="Parley" /><title>Parley</title>';
const page = '<!doctype html><meta name="application-name" content="Tea &amp; $1" /><title>Tea &amp; $1</title>';
const script = "console.log('a script')";
let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-web-"));
  const web = join(folder, "web");
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(join(folder, "outside.txt"), "outside");
  await writeFile(join(web, "index.html"), built);
  await writeFile(join(web, ".env"), "secret");
  await writeFile(join(web, "assets/app-abc123.js"), script);
  await writeFile(join(web, "assets/app-abc123.js.br"), brotliCompressSync(script));
  app = await startTestApp({ webFolder: web, env: { PRODUCT_NAME: "Tea & $1" } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it.each(["/", "/index.html", "/login", "/chat?c=1", "/verify-email?key=a.b&email=a@b.org", "/no/such/page"])(
  "answers %s by the one document",
  async (path) => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toBe(page);
    expect((await fetch(app.url + path, { method: "HEAD" })).status).toBe(200);
  },
);

it.each(["br", "gzip", "identity"])("answers the bare address whatever compression is taken: %s", async (encoding) => {
  for (const path of ["/", "/?c=1", "/assets/"]) {
    const response = await fetch(app.url + path, { headers: { "accept-encoding": encoding } });
    expect(`${path} ${response.status}`).toBe(`${path} 200`);
    expect(await response.text()).toBe(page);
  }
});

it("gives assets for a year, compressed ahead where they may be", async () => {
  const response = await fetch(`${app.url}/assets/app-abc123.js`, { headers: { "accept-encoding": "br" } });
  expect(response.headers.get("content-encoding")).toBe("br");
  expect(response.headers.get("content-type")).toMatch(/javascript/);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await response.text()).toBe(script);
  const plain = await fetch(`${app.url}/assets/app-abc123.js`, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
});

it("answers what is missing by 404, not by the document", async () => {
  for (const path of ["/assets/gone-abc.js", "/favicon.png", "/api/nothing", "/api"]) {
    const response = await fetch(app.url + path);
    expect(`${path} ${response.status}`).toBe(`${path} 404`);
    expect(await response.text()).not.toContain("doctype");
  }
  expect((await fetch(`${app.url}/login`, { method: "POST" })).status).toBe(404);
});

describe("J3 what is outside", () => {
  const rawGet = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(app.url);
      request({ port, path, host: "127.0.0.1" }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      })
        .on("error", reject)
        .end();
    });

  it.each([
    "/../outside.txt",
    "/assets/../../outside.txt",
    "/%2e%2e/outside.txt",
    "/..%2foutside.txt",
    "/..%5coutside.txt",
    "/assets/%00/../../outside.txt",
    "/.env",
    "//outside.txt",
  ])("stays there: %s", async (path) => {
    expect(await rawGet(path)).not.toMatch(/outside$|secret/);
  });
});
