import type { ProtocolError } from "@modelcontextprotocol/client";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import type { ToolOutcome } from "../../tools/tool.ts";
import { ToolInputError } from "../../tools/tool-input-error.ts";
import { toPageQuestion } from "../wire/input-requests.ts";
import type { ListingFailure } from "./listing-failure.ts";
import type { Sdk } from "./sdk.ts";
import { STREAM_ENDED } from "./transports.ts";

const MESSAGE_MAX = 2000;
/** Statuses of a server that no longer knows the session of a request, which it has not run. */
const SESSION_ENDED = new Set([400, 404]);
const REFUSED = new Set([401, 403]);

/** Returns whether a server refused a request without running it, because its session had ended. */
export const isEndedSession = (error: unknown, { SdkHttpError }: Sdk): boolean =>
  error instanceof SdkHttpError && SESSION_ENDED.has(error.status);

/** Returns whether a server refused a request without running it, because it wants a sign-in or other keys. */
export const isUnauthorised = (
  error: unknown,
  { SdkHttpError, UnauthorizedError, InsufficientScopeError }: Sdk,
): boolean =>
  error instanceof UnauthorizedError ||
  error instanceof InsufficientScopeError ||
  (error instanceof SdkHttpError && REFUSED.has(error.status));

/** Returns whether a server has answered a request with an error. */
export const isAnswer = (error: unknown, { ProtocolError }: Sdk): error is ProtocolError =>
  error instanceof ProtocolError && error.message !== STREAM_ENDED;

/**
 * Converts the error of a call that a server answered: its words are a result from outside.
 * @throws ToolInputError of a request that was not run; other errors as they are
 */
export function toErrorOutcome(error: unknown, sdk: Sdk): ToolOutcome {
  if (error instanceof sdk.UrlElicitationRequiredError) {
    const question = toPageQuestion(error.elicitations);
    if (question) return { text: "", question };
  }
  if (isAnswer(error, sdk)) {
    return { text: `The server answered with an error: ${error.message.slice(0, MESSAGE_MAX)}`, isError: true };
  }
  if (error instanceof OutboundRefusal && wasNotSent(error)) throw new ToolInputError("The server cannot be reached.");
  throw error;
}

/** A connection that broke off, or an answer that was too slow or too large, may be one of a request that was run. */
const wasNotSent = ({ code, reason }: OutboundRefusal): boolean =>
  ["bad-address", "not-public"].includes(code) || (code === "unreachable" && reason !== "broken-off");

/** Returns the sentence for a model whose call found no connection. */
export function sentenceOf({ code }: ListingFailure): string {
  switch (code) {
    case "sign-in":
      return "The person has to sign in to the server of this tool first.";
    case "refused":
      return "The server refused Parley. Its keys have to be checked.";
    case "unreachable":
      return "The server cannot be reached.";
    default:
      return "The server does not work.";
  }
}
