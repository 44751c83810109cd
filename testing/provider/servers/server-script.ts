import type { ConnectionKind } from "../../../contract/administration/connections.ts";
import type { ChatDialect } from "../openai/openai-chat-wire.ts";

/** Reasons for which a server refuses a call. `no-pictures`: the model takes none. */
export const serverFailures = [
  "wrong-key",
  "unknown-model",
  "too-long",
  "no-credit",
  "rate-limited",
  "overloaded",
  "no-pictures",
] as const;
export type ServerFailure = (typeof serverFailures)[number];

/** A refusal: status and JSON body. A refusal for a rate limit asks for a wait of 7 s. */
export type Refusal = readonly [status: number, body: unknown];

/** What a server with models answers, as its documentation says. */
export type ServerScript = {
  kind: ConnectionKind;
  /** Path of the base URL. */
  path: string;
  /** Header that must have the key; absent: the server asks for none. */
  keyHeader?: "authorization" | "x-api-key" | "api-key";
  /** JSON documents by path with query; with the model after a space, where the body of the request names one. */
  documents: Readonly<Record<string, unknown>>;
  /** Models that answer. `pictures`: whether a model takes them; `draws`: whether it answers with one. A server with one model answers by any name. */
  chats: Readonly<Record<string, { pictures: boolean; draws?: boolean }>>;
  dialect: ChatDialect | "messages";
  /** Answer to a request with a field that the server does not know. */
  refusedField?: { name: string; refusal: Refusal };
  failures: Readonly<Partial<Record<ServerFailure, Refusal>>>;
};

/** Returns an error in OpenAI's form. */
export function openAiForm(message: string, more: object = {}): unknown {
  return { error: { message, type: "invalid_request_error", param: null, code: null, ...more } };
}

/** Returns the entry of a model in OpenAI's list. */
export function listEntry(owner: string, id: string, more: object = {}) {
  return { id, object: "model", created: 1_760_000_000, owned_by: owner, ...more };
}
