import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readReasons } from "../../scripts/dependencies/document.ts";
import { direct } from "../../scripts/dependencies/tree.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Records each loaded module, one per line. */
const noting = `
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      appendFileSync(new URL("loaded", import.meta.url), url + "\\n");
      return next(url, context);
    },
  });
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-loaded-"));
  await writeFile(join(folder, "noting.mjs"), noting);
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the packages that a server imports by name and has loaded when it listens. */
async function loadedWith(env: Record<string, string>): Promise<string[]> {
  const child = spawn(process.execPath, ["--import", join(folder, "noting.mjs"), main], {
    env: { PORT: "0", DATA_DIR: join(folder, "data"), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let isUp = false;
    for await (const line of createInterface(child.stdout)) {
      isUp = line.startsWith("Parley is running");
      if (isUp) break;
    }
    expect(isUp).toBe(true);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const loaded = await readFile(join(folder, "loaded"), "utf8");
  return direct.runTime.filter((name) => loaded.includes(`/node_modules/${name}/`));
}

const telemetry = ["prom-client", "@opentelemetry/sdk-trace"];

// Runs once: the result does not depend on the database.
it.skipIf(isOnPostgres).each<[string, Record<string, string>, string[]]>([
  ["nothing if only other variables of OpenTelemetry are set", { OTEL_SERVICE_NAME: "x" }, []],
  ["nothing if it is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" }, []],
  ["OpenTelemetry for traces", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, ["@opentelemetry/sdk-trace"]],
  ["prom-client for metrics", { METRICS_TOKEN: "a-token-of-some-length" }, ["prom-client"]],
])("telemetry loads %s", async (_, env, packages) => {
  const loaded = await loadedWith(env);
  expect(loaded).toContain("fastify");
  expect(loaded.filter((name) => telemetry.includes(name))).toEqual(packages);
});

it.skipIf(isOnPostgres)(
  "a start without settings loads the packages that docs/dependencies.md lists as loaded at the start",
  async () => {
    const said = [...readReasons()].filter(([, reason]) => reason.includes("at once")).map(([name]) => name);
    expect((await loadedWith({})).sort()).toEqual(said.sort());
  },
);
