import type { Chat } from "#contract/conversation/conversation.ts";
import { API_BASE, TIME_ZONE_HEADER } from "#contract/http.ts";
import { openDatabase } from "../../server/database/open.ts";
import type { Database } from "../../server/database/schema.ts";
import { signUp } from "../accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp } from "../app/start-test-app.ts";
import { type ScriptedProvider, startScriptedProvider } from "../provider/scripted-provider.ts";
import { SourceProcess } from "../servers/source-process.ts";

/** A chat on a server that runs in a process of its own, so that a test can kill it. */
export type KilledChat = AsyncDisposable & {
  id: string;
  token: string;
  provider: ScriptedProvider;
  /** Sends a message, from a browser in a time zone, and returns the stream of its reply. */
  send(message: string, model: string, timeZone?: string): Promise<Response>;
  /** Requests a path below that of the API. */
  get(path: string): Promise<Response>;
  /** Runs `work` with the database, also while the process runs. */
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Kills the process, and starts a server on the same data in this one. */
  restart(): Promise<TestApp>;
};

/** @param prepare called before the process starts, with a server on its data */
export async function startKilledChat(
  prepare: (app: TestApp, chat: Pick<KilledChat, "id" | "token">) => Promise<unknown> = async () => undefined,
): Promise<KilledChat> {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startScriptedProvider());
  const harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  const { DATABASE_URL } = harness.env;
  const settings = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl };
  const { token, id } = await (async () => {
    await using app = await startTestApp({ harness });
    const account = await signUp(app);
    const made = (await (await app.call("POST", "/chat", { token: account.token })).json()) as Chat;
    const chat = { token: account.token, id: made.id };
    await prepare(app, chat);
    return chat;
  })();
  const env = { ...settings, DATA_DIR: harness.dataDir, ...(DATABASE_URL !== undefined && { DATABASE_URL }) };
  const server = opened.use(new SourceProcess(env));
  await server.start();
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const disposables = opened.move();
  return {
    id,
    token,
    provider,
    send: (message, model, timeZone) =>
      fetch(`${server.url}${API_BASE}/chat/${id}/send?stream=1`, {
        method: "POST",
        headers: { ...headers, ...(timeZone !== undefined && { [TIME_ZONE_HEADER]: timeZone }) },
        body: JSON.stringify({ message, model }),
      }),
    get: (path) => fetch(`${server.url}${API_BASE}${path}`, { headers }),
    withDatabase: async (work) => {
      const database = await openDatabase({
        dataDir: harness.dataDir,
        ...(DATABASE_URL !== undefined && { postgresUrl: DATABASE_URL }),
      });
      try {
        return await work(database);
      } finally {
        await database.destroy();
      }
    },
    restart: async () => {
      await server.kill();
      return startTestApp({ harness, env: settings });
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
