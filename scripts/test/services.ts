import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createClient } from "@redis/client";
import pg from "pg";
import { findChromium } from "../find-chromium.ts";
import { findNginx } from "../find-nginx.ts";
import { findSlapd } from "../find-slapd.ts";
import { say } from "./tools.ts";

const databaseUrl = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";
const redisUrl = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const answerWithinMs = 3_000;

/** Returns the URL of the PostgreSQL to test with, or undefined if it does not answer. */
export async function findPostgres(): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: answerWithinMs });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return databaseUrl;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the URL of the Redis to test with, or undefined if it does not answer. */
export async function findRedis(): Promise<string | undefined> {
  const socket = { connectTimeout: answerWithinMs, reconnectStrategy: false as const };
  const client = createClient({ url: redisUrl, socket });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.ping();
    return redisUrl;
  } catch {
    return undefined;
  } finally {
    client.destroy();
  }
}

/** Finds Chromium, or installs it by apt if running as root. Otherwise prints how to get it and returns undefined. */
export function haveChromium(): string | undefined {
  const chromium = findChromium() ?? installed("chromium", findChromium);
  if (chromium === undefined) {
    say("The browser tests need Chromium: install it (apt-get install chromium) or name one in CHROMIUM_PATH.");
  }
  return chromium;
}

/** Finds or installs nginx, as {@link haveChromium} does with Chromium. */
export function haveNginx(): string | undefined {
  const nginx = findNginx() ?? installed("nginx-light", findNginx);
  if (nginx === undefined) {
    say("Tests of several processes need nginx: install it (apt-get install nginx-light) or name one in NGINX_PATH.");
  }
  return nginx;
}

/** Finds or installs OpenLDAP's server, as {@link haveChromium} does with Chromium. */
export function haveSlapd(): string | undefined {
  const slapd = findSlapd() ?? installed("slapd", findSlapd);
  if (slapd === undefined) {
    say("Tests of directories need OpenLDAP: install it (apt-get install slapd) or name one in SLAPD_PATH.");
  }
  return slapd;
}

/** Installs a Debian package if running as root, and searches for its program again. */
function installed(name: string, find: () => string | undefined): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  say(`Installing ${name} …`);
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { status, stdout, stderr } = spawnSync("apt-get", ["-qq", ...args], { encoding: "utf8", env });
    if (status !== 0) say(`${stdout}${stderr}`.trimEnd());
  }
  return find();
}
