import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestHarness, startTestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { loadRelease } from "../../testing/database/released.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let harness: TestHarness;
beforeEach(async () => {
  harness = await createTestHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

it("config check shows the settings, and no secret", async () => {
  const env = {
    OPENAI_API_KEY: "sk-very-private",
    SMTP_URL: "smtp://me:hidden@mail.example.org",
    PRODUCT_NAME: "Ours",
    METRICS_TOKEN: "scrapes-are-private",
    SEARCH_ENGINE: "tavily",
    SEARCH_KEY: "tvly-hidden",
    OPENAI_BASE_URL: "https://me:hidden@models.example.org/v1",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://hidden:p@ss-hidden@collector.example.org:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20private",
    HTTPS_PROXY: "http://me:hidden@proxy.example.org:3128",
  };
  const { code, out, json } = await admin(harness, ["config", "check", "--json"], { env });
  expect(code).toBe(0);
  expect(json).toMatchObject({
    ok: true,
    config: { fixedSettings: { productName: "Ours" } },
    secrets: { anthropicApiKey: null },
  });
  const text = await admin(harness, ["config", "check"], { env });
  for (const said of [out, text.out, text.err]) expect(said).not.toMatch(/private|hidden/);
  for (const name of ["openaiApiKey", "searchKey", "metricsToken", "otlpHeaders", "proxies"]) {
    expect(text.out).toContain(`${name}: (set, not shown)`);
  }
  expect(text.out).toContain("openaiBaseUrl: https://***@models.example.org/v1");
  expect(text.out).toContain('"url":"https://***@collector.example.org:4318/v1/traces"');
});

it("config check reports all problems at once, and problems of the models file", async () => {
  const env = { PORT: "x", LOG_LEVEL: "loud" };
  const { code, json } = await admin(harness, ["config", "check", "--json"], { env });
  expect([code, json.ok, json.problems]).toEqual([2, false, expect.objectContaining({ length: 2 })]);
  const file = join(harness.dataDir, "models.json");
  await writeFile(file, "{}");
  expect((await admin(harness, ["config", "check"], { env: { MODELS_FILE: file } })).out).toContain(file);
});

it("version shows the state of the schema, and changes nothing", async () => {
  const state = async () => (await admin(harness, ["version", "--json"])).json.database;
  expect(await state()).toEqual(harness.env.DATABASE_URL ? expect.objectContaining({ newest: null }) : null);
  await loadRelease(harness, "v0.1.0");
  const kind = harness.env.DATABASE_URL ? "postgresql" : "sqlite";
  expect(await state()).toMatchObject({ kind, newest: "0007-usage-and-imports", unknown: [] });
  // On SQLite the upgrade itself makes a copy.
  const { out } = await admin(harness, ["version"]);
  expect(out.includes("make a backup first")).toBe(kind === "postgresql");
  const backup = await admin(harness, ["backup", join(harness.dataDir, "before.parley"), "--json"]);
  expect([backup.code, backup.json.migrations]).toEqual([0, expect.not.arrayContaining(["0008-disabled-accounts"])]);
  const refused = await admin(harness, ["users", "list", "--json"]);
  expect([refused.code, refused.json.error]).toEqual([3, expect.stringContaining("start the server once")]);
  await using app = await startTestApp({ harness });
  expect(await state()).toMatchObject({ pending: [] });
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(
    app.context.database,
  );
  expect(await state()).toMatchObject({ unknown: ["9999-later"] });
  expect((await admin(harness, ["users", "list"])).err).toContain("newer version of this program");
});
