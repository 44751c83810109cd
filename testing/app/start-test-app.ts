import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { API_BASE } from "#contract/http.ts";
import { type Environment, parseConfig } from "../../server/config/config.ts";
import { readSecretFile } from "../../server/config/secret-files.ts";
import type { RouteRow } from "../../server/http/route-table.ts";
import { buildApp } from "../../server/process/app.ts";
import { type Context, type Overrides, openContext } from "../../server/process/context.ts";
import { createTestDatabase } from "../database/test-database.ts";

/** State that outlives a server: its data folder, and the environment that names its database. */
export type TestHarness = AsyncDisposable & { dataDir: string; env: Environment };

/** Creates a harness. With `beside`: a separate data folder for a second server on that harness's database. */
export async function createTestHarness(beside?: TestHarness, { isMigrated = false } = {}): Promise<TestHarness> {
  await using opened = new AsyncDisposableStack();
  const dataDir = opened.adopt(await mkdtemp(join(tmpdir(), "parley-test-")), (folder) =>
    rm(folder, { recursive: true, force: true }),
  );
  const { env } = beside ?? opened.use(await createTestDatabase({ isMigrated }));
  const resources = opened.move();
  return { dataDir, env, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

export type TestAppOptions = Overrides & {
  /** Harness of an earlier server. Without it the server creates and disposes a harness of its own. */
  harness?: TestHarness;
  /** Environment variables; the data folder and the database are set by the harness. */
  env?: Environment;
  webFolder?: string;
};

/** `body`: sent as JSON, bytes as they are. */
export type CallOptions = { body?: unknown; token?: string; headers?: Record<string, string>; signal?: AbortSignal };

export interface TestApp extends AsyncDisposable {
  /** Base URL, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly context: Context;
  readonly dataDir: string;
  /** All routes of the server. */
  readonly routes: readonly RouteRow[];
  /** Log lines so far, each a JSON text. */
  readonly logLines: string[];
  /** Calls the API like a program, without an Origin header. `path` is relative to the API's base. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
}

/** Starts a whole server with a new data folder and database, listening on a free port. */
export async function startTestApp({
  env = {},
  webFolder = "",
  harness,
  ...overrides
}: TestAppOptions = {}): Promise<TestApp> {
  await using opened = new AsyncDisposableStack();
  const { dataDir, env: harnessEnv } = harness ?? opened.use(await createTestHarness(undefined, { isMigrated: true }));
  const { config, secrets } = parseConfig({ PORT: "0", DATA_DIR: dataDir, ...harnessEnv, ...env }, readSecretFile);
  const logLines: string[] = [];
  const log = pino({ level: "debug" }, linesInto(logLines));
  const context = opened.use(await openContext(config, secrets, { log, ...overrides }));
  const app = opened.adopt(await buildApp(context, { webFolder }), (server) => server.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1", listenTextResolver: () => "listening" });
  const resources = opened.move();
  return {
    url,
    context,
    dataDir,
    routes: app.routeTable,
    logLines,
    call: (method, path, options) => callApi(url, method, path, options),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Calls the API of a server like a program. `path` is relative to the API's base. */
export function callApi(url: string, method: string, path: string, { body, token, headers, signal }: CallOptions = {}) {
  const isRaw = body instanceof Uint8Array;
  return fetch(`${url}${API_BASE}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": isRaw ? "application/octet-stream" : "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

function linesInto(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString("utf8"));
      done();
    },
  });
}

/** A clock that only advances when a test moves it. */
export class TestClock {
  #now: number;

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
