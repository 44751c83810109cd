import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresDatabase } from "../testing/database/test-database.ts";
import { type Answer, type OutgoingRequest, send } from "../testing/http/send.ts";
import { type ScriptedProvider, startScriptedProvider } from "../testing/provider/scripted-provider.ts";
import { GOOGLE_CLIENT_ID, type KeyServer, startKeyServer } from "../testing/servers/key-server.ts";
import { type MailServer, startMailServer } from "../testing/servers/mail-server.ts";
import { ServerProcess } from "../testing/servers/server-process.ts";

export type SiteOptions = {
  database?: "sqlite" | "postgres";
  /** `RATE_LIMITS=on`. */
  hasLimits?: boolean;
  hasGoogle?: boolean;
  /** Without a mail server, mails are files in the data folder and links are printed. */
  hasMailServer?: boolean;
  /** Data folder of the caller, which is not removed. */
  dataDir?: string;
  /** Further environment variables; they take precedence. */
  env?: Record<string, string>;
};

/** The built server in a process, and the services it connects to, on real sockets of this machine. */
export interface Site extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly url: string;
  readonly mail: MailServer;
  readonly keys: KeyServer;
  readonly provider: ScriptedProvider;
  readonly dataDir: string;
  /** URL of the database, if it is PostgreSQL. */
  readonly databaseUrl?: string;
  /** Environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  send(sending: OutgoingRequest): Promise<Answer>;
  /** Returns the output of its processes so far. */
  logs(): Promise<string>;
}

let sites = 0;

/** Starts a site; disposal removes everything. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), `parley-security-${++sites}-`));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const mail = opened.use(await startMailServer());
  const keys = opened.use(await startKeyServer());
  const provider = opened.use(await startScriptedProvider());
  const database = options.database === "postgres" ? opened.use(await createPostgresDatabase()) : undefined;
  const env = {
    RATE_LIMITS: options.hasLimits ? "on" : "off",
    OPENAI_API_KEY: "sk-canary-openai-key",
    OPENAI_BASE_URL: provider.baseUrl,
    ANTHROPIC_API_KEY: "sk-canary-anthropic-key",
    ANTHROPIC_BASE_URL: provider.baseUrl,
    DAILY_REPLIES_PER_USER: "1000000",
    TOOL_CALLS_PER_MINUTE: "1000000",
    TOOL_CALLS_PER_DAY: "1000000",
    ...(options.hasMailServer !== false && { SMTP_URL: mail.url }),
    ...(options.hasGoogle && { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: keys.url }),
    ...(database && { DATABASE_URL: database.url }),
    ...options.env,
  };
  const dataDir = options.dataDir ?? join(folder, "data");
  await mkdir(dataDir, { recursive: true });
  const logFile = join(folder, "log");
  const server = opened.use(new ServerProcess("server", dataDir, env, logFile));
  await server.start();
  const resources = opened.move();
  return {
    server,
    mail,
    keys,
    provider,
    dataDir,
    env,
    ...(database && { databaseUrl: database.url }),
    get url() {
      return server.url;
    },
    send: (sending) => send(server.url, sending),
    logs: () => readFile(logFile, "utf8"),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
