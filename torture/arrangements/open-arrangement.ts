import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresDatabase } from "../../testing/database/test-database.ts";
import { startS3Server } from "../../testing/files/s3-server.ts";
import { startBalancer } from "../../testing/servers/balancer.ts";
import { startFaultProxy } from "../../testing/servers/fault-proxy.ts";
import { openNginxFront } from "../../testing/servers/nginx-front.ts";
import { ServerProcess } from "../../testing/servers/server-process.ts";
import { registerSome } from "./accounts.ts";
import type { Arrangement, ArrangementName } from "./arrangement.ts";

const POSTGRES_PORT = 5432;
const REDIS_PORT = 6379;
/** Number of accounts; enough for the concurrent replies of parallel faults. */
const ACCOUNTS = 12;

/** Long timeouts: on a busy machine a slow provider must not count as silent, because it would be retried. */
export const replyLimits = { firstTextMs: 30_000, idleMs: 30_000, maxMs: 60_000, graceMs: 700 } as const;

export type ArrangementSettings = {
  name: ArrangementName;
  providerUrl: string;
  redisUrl: string | undefined;
  nginx: string | undefined;
  /** Part of folder names. */
  run: string;
};

/** Starts an arrangement on new data, with accounts. `opened` disposes everything, also after a failure. */
export async function openArrangement(
  settings: ArrangementSettings,
  opened: AsyncDisposableStack,
): Promise<Arrangement> {
  const { name, providerUrl, run, nginx } = settings;
  let isKept = false;
  const folder = await mkdtemp(join(tmpdir(), `parley-torture-${run}-${name}-`));
  opened.defer(() => (isKept ? undefined : rm(folder, { recursive: true, force: true })));
  const services = await openServices(settings, opened, () => isKept);
  const front = name === "behind-nginx" && nginx ? await openNginxFront(nginx, opened) : undefined;
  const env = { ...serverEnv(providerUrl), ...services.env, ...front?.env };
  await writeFile(join(folder, "environment.json"), JSON.stringify(services.env));
  const start = async (server: string, address = {}) => {
    const dataDir = join(folder, server);
    await mkdir(dataDir);
    const started = opened.use(new ServerProcess(server, dataDir, { ...env, ...address }));
    await started.start();
    return started;
  };
  const count = front ? front.addresses.length : name === "two-processes" ? 2 : 1;
  const servers: [ServerProcess, ...ServerProcess[]] = [await start("a", front?.addresses[0])];
  for (let at = 1; at < count; at++) servers.push(await start("abc"[at] ?? "", front?.addresses[at]));
  const url = front?.url ?? opened.use(await startBalancer(servers)).url;
  const accounts = await registerSome(ACCOUNTS, servers[0], servers);
  return {
    name,
    servers,
    url,
    accounts,
    env,
    folder,
    ...(services.database && { database: services.database }),
    ...(services.redis && { redis: services.redis }),
    retainData: () => {
      isKept = true;
    },
  };
}

/**
 * Opens proxies in front of PostgreSQL (with a new database) and Redis, which can make them unavailable. Two processes
 * have their attached files in a bucket.
 */
async function openServices(
  { name, redisUrl }: ArrangementSettings,
  opened: AsyncDisposableStack,
  isKept: () => boolean,
) {
  if (name === "sqlite") return { env: {} };
  const made = await createPostgresDatabase();
  opened.defer(() => (isKept() ? undefined : made[Symbol.asyncDispose]()));
  const database = await startFaultProxy(made.url, POSTGRES_PORT);
  opened.use(database.proxy);
  if (name === "postgres" || redisUrl === undefined) {
    return { env: { DATABASE_URL: database.url }, database: database.proxy };
  }
  const redis = await startFaultProxy(redisUrl, REDIS_PORT);
  opened.use(redis.proxy);
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    SECRET_KEY: "kIb4ATZsNv2QXo7gqLr9uEwC1yHfD8mP",
    ...(name === "two-processes" && (await startS3Server(opened)).envFor()),
  };
  return { env, database: database.proxy, redis: redis.proxy };
}

function serverEnv(providerUrl: string): Record<string, string> {
  return {
    OPENAI_API_KEY: "torture",
    OPENAI_BASE_URL: providerUrl,
    ANTHROPIC_API_KEY: "torture",
    ANTHROPIC_BASE_URL: providerUrl,
    DAILY_REPLIES_PER_USER: "1000000",
    TOOL_CALLS_PER_MINUTE: "1000000",
    TOOL_CALLS_PER_DAY: "1000000",
    REPLY_FIRST_TEXT_MS: String(replyLimits.firstTextMs),
    REPLY_IDLE_MS: String(replyLimits.idleMs),
    REPLY_MAX_MS: String(replyLimits.maxMs),
    SHUTDOWN_GRACE_MS: String(replyLimits.graceMs),
    LOG_LEVEL: "info",
  };
}
