import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/child.mjs";
import { sendRaw, statusesIn } from "../../testing/http/send-raw.ts";
import { forgottenRoutes, privateFiles, traversals } from "../attacks/paths.ts";
import { inBatches } from "../clients/in-batches.ts";
import { signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

/** Content that no public file has. */
const PRIVATE = /root:.*:0:0|"dependencies"|SQLite format|parseConfig|\[core\]|BEGIN [A-Z ]*PRIVATE KEY/;

/** J3, J5 and J7: served files, redirects and debug routes. */
export const files: Suite = {
  name: "files",
  async run(harness) {
    await using site = await harness.startSite();
    await tryPaths(harness, site);
    await tryRedirects(harness, site);
    await tryForgotten(harness, site);
  },
};

async function tryPaths({ report }: Harness, site: Site): Promise<void> {
  await report.try("J3", "path traversal out of the public folder, and private files", async (trial) => {
    await inBatches([...traversals, ...privateFiles], async (path) => {
      // As raw bytes, because a client library would normalise the path.
      const received = await sendRaw(
        site.url,
        Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      );
      const [status = 0] = statusesIn(received);
      const body = received.slice(received.indexOf("\r\n\r\n") + 4);
      // A path without an extension is a page of the application.
      const isPage = status === 200 && body.includes('<meta name="application-name"');
      const isRefused = status === 404 || status === 400 || status === 403;
      trial.expect((isPage || isRefused) && !PRIVATE.test(body), () => `${path}: ${status} ${body.slice(0, 80)}`);
    });
  });
  await report.try("J3", "source maps", async (trial) => {
    const built = await readdir(join(root, "build", "web"), { recursive: true });
    for (const file of built.filter((name) => name.endsWith(".js")).slice(0, 50)) {
      const { status } = await site.send({ path: `/${file}.map` });
      trial.expect(status === 404, () => `${file}.map: ${status}`);
    }
  });
}

async function tryRedirects({ report }: Harness, site: Site): Promise<void> {
  const targets = [
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "///evil.example",
    "/.//evil.example",
    "//evil.example/%2e%2e",
    "/x//evil.example/",
  ];
  const queries = ["next", "redirect", "redirect_uri", "returnTo", "return_to", "url", "to", "continue", "callback"];
  const paths = [
    ...targets,
    ...["/login", "/", "/api/docs", "/assets", "/verify-email"].flatMap((path) =>
      queries.map((name) => `${path}?${name}=//evil.example`),
    ),
    ...targets.map((target) => `/login?next=${encodeURIComponent(target)}`),
  ];
  const hosts = [
    {},
    { host: "evil.example" },
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    { forwarded: "host=evil.example" },
  ];
  await report.try("J5", "redirects, by paths, parameters and headers", async (trial) => {
    const all = paths.flatMap((path) => hosts.map((headers) => ({ path, headers })));
    await inBatches(all, async ({ path, headers }) => {
      const { status, headers: answered, text } = await site.send({ path, headers, isAlone: true });
      const isOwn = answered.location === undefined || /^\/[^/\\]/.test(answered.location);
      trial.expect(isOwn && status < 500, () => `${path}: ${status} to ${answered.location}`);
      trial.expect(!text.includes("evil.example") && !answered.refresh, () => `${path}: the answer holds it`);
    });
  });
}

async function tryForgotten({ report }: Harness, site: Site): Promise<void> {
  const { token } = await signUp(site);
  await report.try("J7", "leftover routes", async (trial) => {
    for (const path of forgottenRoutes) {
      for (const method of ["GET", "POST"]) {
        const { status } = await site.send({ method, path, token });
        trial.expect(status === 404 || status === 405 || status === 400, () => `${method} ${path}: ${status}`);
      }
    }
  });
  await report.try("J7", "secrets and tests in the build", async (trial) => {
    const folder = join(root, "build");
    const built = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|html|css|json)$/.test(name));
    for (const name of built) {
      const text = await readFile(join(folder, name), "utf8");
      const found = /sk-[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY|ghp_\w{36}|xox[bp]-\w+/.exec(
        text,
      );
      trial.expect(found === null, () => `${name}: ${found?.[0]}`);
      trial.expect(!/scripted-provider|startTestApp|TEST_DATABASE/.test(text), () => `${name} holds tests`);
    }
  });
}
