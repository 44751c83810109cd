import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";

const documentOf = (name: string) =>
  `<!doctype html><meta name="application-name" content="${name}" />` +
  `<meta name="apple-mobile-web-app-title" content="${name}" /><title>${name}</title>`;
const built = documentOf("Parley");
const page = documentOf("Tea &amp; $1");
const script = "console.log('a script')";
let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-web-"));
  const web = join(folder, "web");
  await mkdir(join(web, "assets"), { recursive: true });
  await mkdir(join(web, "sandbox/assets"), { recursive: true });
  await writeFile(join(web, "sandbox/diagram.html"), "<!doctype html>");
  await writeFile(join(web, "sandbox/assets/draw-abc123.js"), script);
  await writeFile(join(web, "index.html"), built);
  await writeFile(join(web, ".env"), "secret");
  for (const name of ["sw.js", "appearance.js", "favicon.svg", "assets/app-abc123.css", "assets/text-abc123.woff2"]) {
    await writeFile(join(web, name), script);
  }
  await writeFile(join(web, "sw.js.br"), brotliCompressSync(script));
  await writeFile(join(web, "manifest.webmanifest"), '{"id":"/chat","name":"Parley","short_name":"Parley"}');
  await writeFile(join(web, "assets/app-abc123.js"), script);
  await writeFile(join(web, "assets/pdf-worker-a_b-123.js"), script);
  await writeFile(join(web, "assets/app-abc123.js.br"), brotliCompressSync(script));
  app = await startTestApp({ webFolder: web, env: { PRODUCT_NAME: "Tea & $1" } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it.each(["/", "/index.html", "/login", "/chat?c=1", "/verify-email?key=a.b&email=a@b.org", "/no/such/page"])(
  "answers %s with the HTML document",
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

it.each(["br", "gzip", "identity"])(
  "a request of a folder is answered with the document for the encoding %s",
  async (encoding) => {
    for (const path of ["/", "/?c=1", "/assets/"]) {
      const response = await fetch(app.url + path, { headers: { "accept-encoding": encoding } });
      expect(`${path} ${response.status}`).toBe(`${path} 200`);
      expect(await response.text()).toBe(page);
    }
  },
);

it("assets have a cache lifetime of a year, and are sent precompressed if the client accepts it", async () => {
  const response = await fetch(`${app.url}/assets/app-abc123.js`, { headers: { "accept-encoding": "br" } });
  expect(response.headers.get("content-encoding")).toBe("br");
  expect(response.headers.get("content-type")).toMatch(/javascript/);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await response.text()).toBe(script);
  const plain = await fetch(`${app.url}/assets/app-abc123.js`, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
});

it("only the files that existed at startup are sent, by their exact names", async () => {
  await writeFile(join(folder, "web/assets/later-abc123.js"), script);
  for (const path of ["/assets/later-abc123.js", "/assets/APP-abc123.js", "/assets/./app-abc123.js.bak"]) {
    expect(`${path} ${(await fetch(app.url + path)).status}`).toBe(`${path} 404`);
  }
  expect((await fetch(`${app.url}/assets/app-abc123.js`, { method: "HEAD" })).status).toBe(200);
});

it("the manifest has the product's name, and must be revalidated", async () => {
  for (const method of ["GET", "HEAD"]) {
    const response = await fetch(`${app.url}/manifest.webmanifest?x`, { method });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/manifest+json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-security-policy")).toContain("manifest-src 'self'");
    if (method === "GET")
      expect(await response.json()).toEqual({ id: "/chat", name: "Tea & $1", short_name: "Tea & $1" });
  }
});

it("the service worker is sent from the root, as a script that must be revalidated", async () => {
  const response = await fetch(`${app.url}/sw.js`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/javascript/);
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(response.headers.get("content-security-policy")).toContain("worker-src 'self'");
  expect(await response.text()).toBe(script);
});

const ofDocuments = [
  ...["content-security-policy", "cross-origin-opener-policy", "permissions-policy", "referrer-policy"],
  ...["x-frame-options", "origin-agent-cluster", "x-permitted-cross-domain-policies", "x-download-options"],
];

it.each(["br", "gzip", "identity"])(
  "G5 documents have their security headers with %s, except for embedded files",
  async (encoding) => {
    const headersOf = async (path: string) =>
      (await fetch(app.url + path, { headers: { "accept-encoding": encoding } })).headers;
    for (const path of ["app-abc123.js", "app-abc123.css", "text-abc123.woff2", "../appearance.js"]) {
      const headers = await headersOf(`/assets/${path}`);
      expect(
        ofDocuments.filter((name) => headers.has(name)),
        path,
      ).toEqual([]);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    }
    const documents = [
      "/",
      "/chat",
      "/favicon.svg",
      "/manifest.webmanifest",
      "/sw.js",
      "/assets/pdf-worker-a_b-123.js",
      "/sandbox/diagram.html",
      "/api/docs/",
    ];
    for (const path of [...documents, "/gone.js", "/assets/gone.js", "/api/auth/config", "/healthz"]) {
      const headers = await headersOf(path);
      expect(
        ofDocuments.filter((name) => !headers.has(name)),
        path,
      ).toEqual([]);
    }
  },
);

it("L5 a percent-encoded API path is an API path", async () => {
  for (const path of ["/%61pi/nothing", "/%61pi", "/api%2Fnothing"]) {
    const { status, headers } = await fetch(app.url + path);
    expect([path, status, headers.get("cache-control")]).toEqual([path, 404, "no-store"]);
  }
  for (const path of ["/apiary", "/%2561pi/nothing"]) {
    const { status, headers } = await fetch(app.url + path);
    expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "no-cache"]);
  }
});

it("missing files are answered with 404, not with the document", async () => {
  for (const path of ["/assets/gone-abc.js", "/favicon.png", "/api/nothing", "/api"]) {
    const response = await fetch(app.url + path);
    expect(`${path} ${response.status}`).toBe(`${path} 404`);
    expect(await response.text()).not.toContain("doctype");
  }
  expect((await fetch(`${app.url}/login`, { method: "POST" })).status).toBe(404);
});

it("J3 dotfiles are not served", async () => {
  const response = await fetch(`${app.url}/.env`);
  expect(await response.text()).not.toContain("secret");
});

it("only the diagram frame has its own policy and an opaque origin", async () => {
  for (const path of ["/sandbox/diagram.html", "/sandbox/assets/draw-abc123.js"]) {
    const { status, headers } = await fetch(app.url + path);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';font-src 'self';img-src data:;" +
        "base-uri 'none';form-action 'none';frame-ancestors 'self';sandbox allow-scripts",
    );
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(headers.get("cache-control")).toBe(
      path.endsWith(".js") ? "public, max-age=31536000, immutable" : "no-cache",
    );
  }
  for (const path of ["/", "/assets/app-abc123.js", "/sandbox/", "/sandbox/../assets/app-abc123.js", "/sandboxes"]) {
    const { headers } = await fetch(app.url + path);
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-frame-options")).not.toBe("SAMEORIGIN");
    expect(headers.get("content-security-policy") ?? "").not.toContain("unsafe");
  }
});
