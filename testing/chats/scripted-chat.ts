import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { SendRequest, SendResponse } from "#contract/conversation/conversation-calls.ts";
import type { KnownPart } from "#contract/conversation/known-parts.ts";
import { signUp, type TestAccount } from "../accounts/sign-up.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../app/start-test-app.ts";
import { type ScriptedProvider, startScriptedProvider } from "../provider/scripted-provider.ts";

export type Sending = Partial<SendRequest> & { key?: string };

/** A server whose models are one scripted provider, with a new account and chat for each test. */
export class ScriptedChat implements AsyncDisposable {
  readonly provider: ScriptedProvider;
  readonly app: TestApp;
  #ada: TestAccount | undefined;
  #chatId = "";

  constructor(provider: ScriptedProvider, app: TestApp) {
    this.provider = provider;
    this.app = app;
  }

  get ada(): TestAccount {
    if (!this.#ada) throw new Error("Call renew() before each test");
    return this.#ada;
  }

  get chatId(): string {
    return this.#chatId;
  }

  /** Continues in another chat of the same account. */
  async beginChat(): Promise<void> {
    this.#chatId = await this.createChat();
  }

  async renew(): Promise<void> {
    this.provider.requests.length = 0;
    this.#ada = await signUp(this.app);
    this.#chatId = await this.createChat();
  }

  async createChat({ token }: TestAccount = this.ada): Promise<string> {
    const response = await this.app.call("POST", "/chat", { token });
    return ((await response.json()) as Chat).id;
  }

  /** Calls a path below the chat, e.g. `/stop`. */
  call(method: string, path: string, body?: unknown): Promise<Response> {
    return this.app.call(method, `/chat/${this.chatId}${path}`, { token: this.ada.token, body });
  }

  post(query: string, { message = "What is a fjord?", key, ...rest }: Sending = {}): Promise<Response> {
    const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
    const body = { message, ...rest };
    return this.app.call("POST", `/chat/${this.chatId}/send${query}`, { token: this.ada.token, body, headers });
  }

  stream(sending?: Sending): Promise<Response> {
    return this.post("?stream=1", sending);
  }

  async send(sending?: Sending): Promise<SendResponse> {
    return (await (await this.post("", sending)).json()) as SendResponse;
  }

  async open(): Promise<Chat> {
    return (await (await this.call("GET", "")).json()) as Chat;
  }

  /** Returns the last message of the open chat. */
  async last(): Promise<Message> {
    const message = (await this.open()).messages.at(-1);
    if (!message) throw new Error("The chat is empty");
    return message;
  }

  /** Returns the parts of a kind of the last message. */
  async partsOf<Kind extends KnownPart["kind"]>(kind: Kind): Promise<Extract<KnownPart, { kind: Kind }>[]> {
    const { parts = [] } = await this.last();
    return parts.filter((part) => part.kind === kind) as Extract<KnownPart, { kind: Kind }>[];
  }

  /** Reads the open chat. @returns lines such as `user: Hello` */
  async transcript(): Promise<string[]> {
    return (await this.open()).messages.map(({ role, content }) => `${role}: ${content}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    await this.provider[Symbol.asyncDispose]();
  }
}

/** @param env a function receives the base URL of the provider */
export async function startScriptedChat(
  env: Record<string, string> | ((baseUrl: string) => Record<string, string>) = {},
  overrides: Pick<TestAppOptions, "clock" | "toolGroups" | "isPublicAddress"> = {},
): Promise<ScriptedChat> {
  const provider = await startScriptedProvider();
  const app = await startTestApp({
    ...overrides,
    env: {
      OPENAI_API_KEY: "scripted-key",
      OPENAI_BASE_URL: provider.baseUrl,
      ANTHROPIC_API_KEY: "scripted-key",
      ANTHROPIC_BASE_URL: provider.baseUrl,
      ...(typeof env === "function" ? env(provider.baseUrl) : env),
    },
  });
  return new ScriptedChat(provider, app);
}
