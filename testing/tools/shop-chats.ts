import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import type { FormAnswers } from "#contract/conversation/tool-forms.ts";
import { API_BASE } from "#contract/http.ts";
import { openDatabase } from "../../server/database/open.ts";
import type { Database } from "../../server/database/schema.ts";
import { signUp } from "../accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../app/start-test-app.ts";
import { waitFor } from "../app/wait-for.ts";
import { readReply } from "../http/read-events.ts";
import type { McpEra } from "../mcp/protocol-answers.ts";
import { type ScriptedProvider, startScriptedProvider } from "../provider/scripted-provider.ts";
import { SourceProcess } from "../servers/source-process.ts";
import { callsOf, decisionOn } from "./calls-of.ts";
import { McpShop } from "./mcp-shop.ts";
import { remoteShop } from "./remote-shop.ts";
import { ShopServer } from "./shop-server.ts";

/** A server in this process or in one of its own. */
type Server = { readonly url: string | undefined };

const entry = fileURLToPath(new URL("server-with-shop.ts", import.meta.url));
const MODEL = "GPT:gpt-5-mini";
/** Chats for second tries, whose reports would otherwise hide why the first ones failed. */
const SPARE = 3;

/** A chat of an account of its own, in which the tools of the shop are switched on. */
export class ShopChat {
  readonly id: string;
  readonly token: string;

  constructor(id: string, token: string) {
    this.id = id;
    this.token = token;
  }

  /** Calls a path below the chat, e.g. `/stop`. */
  call({ url }: Server, method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${url}${API_BASE}${conversationPaths.chat(this.id)}${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${this.token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Sends a question. @returns the stream of its reply */
  send(server: Server, message: string, model = MODEL): Promise<Response> {
    return this.call(server, "POST", "/send?stream=1", { message, model });
  }

  async last(server: Server): Promise<Message> {
    const { messages } = (await (await this.call(server, "GET", "")).json()) as Chat;
    const message = messages.at(-1);
    if (!message) throw new Error("The chat is empty");
    return message;
  }

  /** Waits until the last message has a state. */
  until(server: Server, state: Message["state"]): Promise<Message> {
    return waitFor(`a reply that is ${state}`, async () => {
      const message = await this.last(server);
      return message.state === state && message;
    });
  }

  async tools(server: Server): Promise<ToolPart[]> {
    return callsOf(await this.last(server));
  }

  /** Returns a decision on all calls that wait now, which is sent when the result is called. */
  async decision(server: Server, answer: DecisionAnswer): Promise<(at?: Server) => Promise<Response>> {
    const decision = decisionOn(await this.last(server), answer);
    return (at = server) => this.call(at, "POST", "/decision", decision);
  }

  /** Answers the question of the call that asks. */
  async submit(server: Server, values: FormAnswers["forms"][number]["values"]): Promise<number> {
    const last = await this.last(server);
    const part = callsOf(last).find(({ question }) => question !== undefined);
    if (!part?.question) throw new Error("No call asks");
    const { seq, digest, attempt, question } = part;
    const answers = { id: question.id, forms: question.forms.map(({ key }) => ({ key, values })) };
    const decisions = [{ seq, digest, attempt, answer: "submit", answers }];
    return (await this.call(server, "POST", "/decision", { reply: last.id, decisions })).status;
  }

  async decide(server: Server, answer: DecisionAnswer): Promise<number> {
    return (await (await this.decision(server, answer))()).status;
  }

  /** Reads the last reply from its beginning to its end; continues one that was interrupted. */
  async join(server: Server) {
    return readReply(await this.call(server, "GET", `/reply?reply=${(await this.last(server)).id}`));
  }
}

/** Accounts with chats in one database, whose servers a test starts, kills, freezes and starts again. */
export class ShopChats implements AsyncDisposable {
  readonly provider: ScriptedProvider;
  readonly shop: ShopServer;
  /** Absent: the tools of the shop are those of the server itself. */
  readonly mcpShop: McpShop | undefined;
  readonly #harness: TestHarness;
  readonly #env: Readonly<Record<string, string>>;
  readonly #chats: ShopChat[];
  readonly #opened: AsyncDisposable;

  private constructor(
    scene: {
      provider: ScriptedProvider;
      shop: ShopServer;
      mcpShop: McpShop | undefined;
      harness: TestHarness;
      chats: ShopChat[];
    },
    env: Readonly<Record<string, string>>,
    opened: AsyncDisposable,
  ) {
    this.provider = scene.provider;
    this.shop = scene.shop;
    this.mcpShop = scene.mcpShop;
    this.#harness = scene.harness;
    this.#chats = scene.chats;
    this.#env = env;
    this.#opened = opened;
  }

  /**
   * @param count number of chats, of which {@link next} returns each once
   * @param era revision of an MCP server with the tools of the shop
   */
  static async open(count: number, more: Readonly<Record<string, string>> = {}, era?: McpEra): Promise<ShopChats> {
    await using opened = new AsyncDisposableStack();
    const provider = opened.use(await startScriptedProvider());
    const shop = opened.use(await ShopServer.start());
    const harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
    const mcpShop = era && opened.use(await McpShop.start(shop.url, era));
    const env = {
      ...(mcpShop && { MCP_FILE: await writeMcpFile(harness.dataDir, mcpShop.url) }),
      OPENAI_API_KEY: "key",
      OPENAI_BASE_URL: provider.baseUrl,
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: provider.baseUrl,
      SECRET_KEY: "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f",
      SHOP_URL: shop.url,
      ...more,
    };
    await using app = await startTestApp({ harness, env, toolGroups: mcpShop ? [] : [remoteShop(shop.url)] });
    const chats = await Promise.all(Array.from({ length: count + SPARE }, () => createChat(app)));
    // Reads the tools of a server for the first time.
    if (mcpShop) await app.call("GET", conversationPaths.tools, { token: chats[0]?.token ?? "" });
    return new ShopChats({ provider, shop, mcpShop, harness, chats }, env, opened.move());
  }

  next(): ShopChat {
    const chat = this.#chats.pop();
    if (!chat) throw new Error("More chats were needed than were made");
    return chat;
  }

  /** Starts a server as a process of its own. `isBeside`: with another data folder on the same database. */
  async startProcess(opened: AsyncDisposableStack, { isBeside = false } = {}): Promise<SourceProcess> {
    const { dataDir } = isBeside ? opened.use(await createTestHarness(this.#harness)) : this.#harness;
    const { DATABASE_URL } = this.#harness.env;
    const database = DATABASE_URL === undefined ? {} : { DATABASE_URL };
    const server = opened.use(
      new SourceProcess({ ...this.#env, ...database, DATA_DIR: dataDir }, this.mcpShop ? undefined : entry),
    );
    await server.start();
    return server;
  }

  /** Starts a server on the same data in this process. */
  startApp(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
    const toolGroups = this.mcpShop ? [] : [remoteShop(this.shop.url)];
    return startTestApp({ harness: this.#harness, env: { ...this.#env, ...env }, toolGroups });
  }

  /** Runs `work` with the database, also while a process runs. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const { DATABASE_URL: postgresUrl } = this.#harness.env;
    const database = await openDatabase({ dataDir: this.#harness.dataDir, ...(postgresUrl && { postgresUrl }) });
    try {
      return await work(database);
    } finally {
      await database.destroy();
    }
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#opened[Symbol.asyncDispose]();
  }
}

/** Writes the file of the operator with the shop as a trusted server. @returns its path */
async function writeMcpFile(folder: string, url: string): Promise<string> {
  const path = join(folder, "mcp.json");
  await writeFile(path, JSON.stringify({ servers: [{ name: "Shop", slug: "shop", url, trusted: true }] }));
  return path;
}

async function createChat(app: TestApp): Promise<ShopChat> {
  const { token } = await signUp(app);
  const made = await app.call("POST", conversationPaths.chats, { token, body: { tools: ["shop"] } });
  const { id } = (await made.json()) as Chat;
  const chat = new ShopChat(id, token);
  // So that no title is asked for.
  await chat.call(app, "PATCH", "", { title: "Shopping" });
  return chat;
}
