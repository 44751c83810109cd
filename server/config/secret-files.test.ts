import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestHarness, startTestApp } from "../../testing/app/start-test-app.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { ConfigError, parseConfig, variableNames } from "./config.ts";
import { fileVariableOf, readSecretFile, secretVariables } from "./secret-files.ts";

const SECRET_KEY = "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f";
const given = {
  SECRET_KEY,
  SECRET_KEY_PREVIOUS: "hQ2zR8vK5mT1wX7bN4cJ9fL6pS3gD0yA",
  DATABASE_URL: "postgres://user:hidden@db/parley",
  REDIS_URL: "rediss://:hidden@redis",
  SMTP_URL: "smtps://user:hidden@mail",
  OPENAI_API_KEY: "hidden-openai",
  ANTHROPIC_API_KEY: "hidden-anthropic",
  LOCAL_API_KEY: "hidden-local",
  SEARCH_KEY: "hidden-search",
  OIDC_CLIENT_SECRET: "hidden-client-secret",
  LDAP_BIND_PASSWORD: "hidden-bind-password",
  FILES_ACCESS_KEY_ID: "hidden-key-id",
  FILES_SECRET_ACCESS_KEY: "hidden-access-key",
  METRICS_TOKEN: "hidden-metrics-token",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hidden",
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileOf(content: string | Uint8Array, { name = "secret", mode = 0o600 } = {}): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  await chmod(file, mode);
  return file;
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, readSecretFile);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

it("E2 reads every secret from a file, without the line ending", async () => {
  expect(Object.keys(given)).toEqual([...secretVariables]);
  const search = { SEARCH_URL: "http://127.0.0.1:1" };
  const shared = {
    ...search,
    OIDC_ISSUER: "https://id.example.org",
    OIDC_CLIENT_ID: "parley",
    LDAP_URL: "ldaps://ldap.example.org",
    LDAP_SEARCH_BASE: "dc=example,dc=org",
    LDAP_BIND_DN: "cn=parley,dc=example,dc=org",
    LOCAL_BASE_URL: "http://127.0.0.1:1/v1",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
  };
  const env: Record<string, string> = { ...shared };
  for (const [at, name] of secretVariables.entries()) {
    expect(variableNames).toContain(fileVariableOf(name));
    env[fileVariableOf(name)] = await fileOf(`${given[name]}${at % 2 === 0 ? "\n" : "\r\n"}`, { name });
  }
  const { config, secrets } = parseConfig(env, readSecretFile);
  expect(secrets).toEqual(parseConfig({ ...shared, ...given }).secrets);
  expect(JSON.stringify(config)).not.toMatch(/hidden|kDq0/);
});

it("E2 reports unusable secret files in the same message, without path or content", async () => {
  const problems = problemsOf({
    PORT: "x",
    SECRET_KEY_FILE: await fileOf("weak-secret\n", { name: "weak" }),
    OPENAI_API_KEY_FILE: join(folder, "gone"),
    ANTHROPIC_API_KEY: "one",
    ANTHROPIC_API_KEY_FILE: await fileOf("another", { name: "another" }),
    METRICS_TOKEN_FILE: await fileOf("\n", { name: "empty" }),
    SMTP_URL_FILE: folder,
    LOCAL_API_KEY_FILE: await fileOf(Buffer.from([0xff, 0xfe, 0x00]), { name: "bytes" }),
  });
  expect([...problems].sort()).toEqual([
    "ANTHROPIC_API_KEY and ANTHROPIC_API_KEY_FILE are both set: set only one of them",
    "LOCAL_API_KEY_FILE names a file that cannot be read (ERR_ENCODING_INVALID_ENCODED_DATA)",
    "METRICS_TOKEN_FILE names a file that is empty",
    "OPENAI_API_KEY_FILE names a file that cannot be read (ENOENT)",
    "PORT must be a whole number from 0 to 65535",
    "SECRET_KEY (read from SECRET_KEY_FILE) must be at least 32 characters long",
    "SMTP_URL_FILE names a file that cannot be read (EISDIR)",
  ]);
  expect(problems.join()).not.toMatch(/weak-secret|parley-secrets|another$/);
});

it("accepts a file for variables that REDIS_URL requires, and ignores headers of traces that are not sent", async () => {
  const redis = {
    REDIS_URL: "redis://redis",
    DATABASE_URL_FILE: await fileOf("postgres://db/parley", { name: "database" }),
  };
  expect(problemsOf({ ...redis, SECRET_KEY_FILE: await fileOf(SECRET_KEY) })).toEqual([]);
  expect(problemsOf({ ...redis, SECRET_KEY_FILE: join(folder, "gone") })).toHaveLength(1);
  expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS_FILE: join(folder, "gone") })).toEqual([]);
});

it("administration commands read secrets from the same files and show none of them", async () => {
  await using harness = await createTestHarness();
  const env = { OPENAI_API_KEY_FILE: await fileOf("hidden-openai\n") };
  const { code, json, out } = await admin(harness, ["config", "check", "--json"], { env });
  expect(code).toBe(0);
  expect(json.secrets).toMatchObject({ openaiApiKey: "(set, not shown)", anthropicApiKey: null });
  expect(out).not.toContain("hidden");
  const wrong = { OPENAI_API_KEY_FILE: join(folder, "gone") };
  expect((await admin(harness, ["config", "check"], { env: wrong })).out).toContain("OPENAI_API_KEY_FILE names a file");
});

describe("E2 secret key file that other users of the machine can read", () => {
  const warningIn = (lines: readonly string[]) => lines.filter((line) => line.includes("can read the secret key"));

  it("a readable key file of the operator causes a warning at the start and by config check", async () => {
    const file = await fileOf(`${SECRET_KEY}\n`);
    await using harness = await createTestHarness();
    const env = { SECRET_KEY_FILE: file };
    for (const [mode, count] of [
      [0o600, 0],
      [0o644, 1],
      [0o640, 1],
      [0o400, 0],
    ] as const) {
      await chmod(file, mode);
      await using app = await startTestApp({ harness, env });
      expect(warningIn(app.logLines), mode.toString(8)).toHaveLength(count);
    }
    await chmod(file, 0o604);
    const { json } = await admin(harness, ["config", "check", "--json"], { env });
    expect(json.warnings).toEqual([
      `Other users of this machine can read the secret key in ${file}: set its mode to 600.`,
    ]);
  });

  it("a readable key file in the data folder causes a warning, unless another key is used", async () => {
    await using harness = await createTestHarness();
    const start = async (env = {}) => {
      await using app = await startTestApp({ harness, env });
      return warningIn(app.logLines);
    };
    expect(await start()).toEqual([]);
    await chmod(join(harness.dataDir, "secret-key"), 0o644);
    expect(await start()).toEqual([expect.stringContaining(join(harness.dataDir, "secret-key"))]);
    expect(await start({ SECRET_KEY })).toEqual([]);
  });
});
