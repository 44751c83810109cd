import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { Environment } from "../../server/config/config.ts";
import { signUp } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { type ScriptedProvider, startScriptedProvider } from "../provider/scripted-provider.ts";
import { createSharedDatabase } from "../servers/shared-database.ts";

type Servers = { provider: ScriptedProvider; one: TestApp; other: TestApp };

/** Two servers on one PostgreSQL database, without Redis, with a new account and chat for each test. */
export class TwoProcesses implements AsyncDisposable {
  readonly provider: ScriptedProvider;
  readonly one: TestApp;
  readonly other: TestApp;
  readonly #opened: AsyncDisposable;
  #token = "";
  #chatId = "";

  /** @param opened what the servers are disposed with */
  constructor({ provider, one, other }: Servers, opened: AsyncDisposable) {
    this.provider = provider;
    this.one = one;
    this.other = other;
    this.#opened = opened;
  }

  /** Resets the provider. @returns the token of a new account, and the id of its new chat */
  async renew(): Promise<{ token: string; id: string }> {
    this.provider.reset();
    const { token } = await signUp(this.one);
    this.#token = token;
    this.#chatId = await this.createChat();
    return { token, id: this.#chatId };
  }

  async createChat(): Promise<string> {
    const response = await this.one.call("POST", "/chat", { token: this.#token });
    return ((await response.json()) as Chat).id;
  }

  /** Returns the last message of a chat, by default the new one, as `app` reports it. */
  async last(app: TestApp, chat = this.#chatId): Promise<Message> {
    const { messages } = (await (await app.call("GET", `/chat/${chat}`, { token: this.#token })).json()) as Chat;
    const message = messages.at(-1);
    if (!message) throw new Error("The chat is empty");
    return message;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#opened[Symbol.asyncDispose]();
  }
}

/** @param more environment variables of both servers; a function receives the base URL of the provider */
export async function startTwoProcesses(
  more: Environment | ((baseUrl: string) => Environment) = {},
): Promise<TwoProcesses> {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startScriptedProvider());
  const database = opened.use(await createSharedDatabase());
  const { baseUrl } = provider;
  const own = typeof more === "function" ? more(baseUrl) : more;
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: baseUrl, ...own };
  const one = await database.startServer({ env });
  const other = await database.startServer({ env });
  return new TwoProcesses({ provider, one, other }, opened.move());
}
