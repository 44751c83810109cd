import type { AnswerWriter } from "../answer-writer.ts";
import { anthropicMessagesWire } from "../anthropic/anthropic-messages-wire.ts";
import { chatDialectWire } from "../openai/openai-chat-wire.ts";
import type { ProviderRequest } from "../provider-request.ts";
import { ProviderServer } from "../provider-server.ts";
import { scenarios } from "../scenarios.ts";
import { gateways } from "./gateways.ts";
import { hostedServers } from "./hosted-servers.ts";
import { localServers } from "./local-servers.ts";
import { ownListServers } from "./own-list-servers.ts";
import type { Refusal, ServerFailure, ServerScript } from "./server-script.ts";

/** The key that every server with keys accepts. */
export const SERVER_KEY = "sk-server-canary";
/** The answer to every question. */
export const SERVER_REPLY = "Hello from a scripted server.";

export const serverScripts = { ...localServers, ...gateways, ...hostedServers, ...ownListServers } satisfies Record<
  string,
  ServerScript
>;
export type ScriptedServerName = keyof typeof serverScripts;

/** A server with models that answers as its documentation says: lists, facts, chats and refusals. */
export class ScriptedServer extends ProviderServer {
  readonly script: ServerScript;
  readonly requests: ProviderRequest[] = [];
  /** Refuses the next chat. */
  nextFailure: ServerFailure | undefined;
  scenario: "fast" | "reasoning-first" = "fast";

  constructor(script: ServerScript) {
    super((request, answer) => this.#play(request, answer));
    this.script = script;
  }

  /** Base URL of a connection to it. */
  get address(): string {
    return `${this.url}${this.script.path}`;
  }

  async #play(request: ProviderRequest, answer: AnswerWriter): Promise<void> {
    this.requests.push(request);
    const { documents } = this.script;
    const document = documents[`${request.path} ${request.model}`] ?? documents[request.path];
    if (!this.#hasKey(request)) this.#refuse("wrong-key", answer);
    else if (document !== undefined) respond(answer, [200, document]);
    else if (!request.wire) respond(answer, [404, { error: { message: "Not Found", code: 404 } }]);
    else if (!request.model) respond(answer, [400, { error: { message: "messages is required", code: 400 } }]);
    else await this.#chat(request, answer);
  }

  async #chat(request: ProviderRequest, answer: AnswerWriter): Promise<void> {
    const { chats, dialect, refusedField } = this.script;
    if (refusedField && refusedField.name in request.body) return respond(answer, refusedField.refusal);
    const failure = this.nextFailure ?? this.#failureOf(request);
    this.nextFailure = undefined;
    if (failure) return this.#refuse(failure, answer);
    const wire = dialect === "messages" ? anthropicMessagesWire : chatDialectWire(dialect);
    const encoder = wire.encodeAnswer(Object.keys(chats)[0] ?? "");
    const nextCommand = () => Promise.reject(new Error("No scenario here takes commands"));
    // OpenRouter asks for the modality: without it, such a model answers with words.
    const draws = chats[request.model]?.draws && JSON.stringify(request.body.modalities)?.includes("image");
    await scenarios[draws ? "picture" : this.scenario]({
      answer,
      wire,
      encoder,
      paceMs: 0,
      text: SERVER_REPLY,
      calls: [],
      events: "",
      argument: "",
      nextCommand,
    });
  }

  #failureOf({ model, messages }: ProviderRequest): ServerFailure | undefined {
    const { chats, failures } = this.script;
    const chat = chats[model];
    if (!chat && failures["unknown-model"]) return "unknown-model";
    const hasPictures = messages.some(({ files = [] }) => files.length > 0);
    return hasPictures && !chat?.pictures ? "no-pictures" : undefined;
  }

  /** Google's own list takes the key in a header of its own, and no bearer token. */
  #hasKey({ headers, path }: ProviderRequest): boolean {
    const { keyHeader, kind } = this.script;
    if (!keyHeader) return true;
    if (path.startsWith("/v1beta/models")) return headers["x-goog-api-key"] === SERVER_KEY && !headers.authorization;
    if (kind === "anthropic" && headers["anthropic-version"] === undefined) return false;
    return headers[keyHeader] === (keyHeader === "authorization" ? `Bearer ${SERVER_KEY}` : SERVER_KEY);
  }

  #refuse(failure: ServerFailure, answer: AnswerWriter): void {
    const refusal = this.script.failures[failure] ?? [500, { error: `This server has no answer for ${failure}` }];
    respond(answer, refusal, failure === "rate-limited" ? { "retry-after": "7" } : {});
  }
}

function respond(answer: AnswerWriter, [status, body]: Refusal, headers: Record<string, string> = {}): void {
  answer.respond(status, "application/json", JSON.stringify(body), headers);
}

/** Starts a server on a free port. */
export async function startScriptedServer(name: ScriptedServerName): Promise<ScriptedServer> {
  const server = new ScriptedServer(serverScripts[name]);
  await server.listen();
  return server;
}
