import type { ToolSource } from "#contract/conversation/known-parts.ts";
import type { PromptMessage } from "../../../models/model.ts";
import { filesOf, textOf } from "../../../models/prompt-message.ts";
import { callPartsOf, type Part, type ToolBody } from "../../parts/message-part.ts";
import type { ReplyTools, ValidCall } from "./reply-tools.ts";

/** What a reply has in its context. `messages`: of its prompt. `parts`: its own so far. */
export type ReplyContext = { messages: readonly PromptMessage[]; parts: readonly Part[] };

/**
 * Whether a person must approve a call, unless the tool was approved before. Words from outside in the context may
 * command the model, so what it sends may carry what it has read: a call asks that acts outside, that requests an
 * address which neither the search engine has returned in this reply nor the person has typed, or that queries the
 * engine once the context may have what belongs to the person: chats that were searched, files, or results of other
 * servers, also by earlier answers of the chat.
 */
export function needsApproval({ named, given }: ValidCall, tools: ReplyTools, context: ReplyContext): boolean {
  const { tool } = named;
  switch (tool.reach) {
    case "nothing":
    case "own":
      return false;
    case "engine":
      return hasOwnWords(tools, context);
    case "address": {
      const address = tool.addressOf?.(given);
      return address === undefined || !isKnownAddress(address, tools, context);
    }
    case "outside":
      return true;
  }
}

function hasOwnWords(tools: ReplyTools, { messages, parts }: ReplyContext): boolean {
  const isOwn = (body: ToolBody) => {
    const reach = tools.reachOf(body);
    return body.result !== undefined && (reach === "own" || reach === "outside" || reach === undefined);
  };
  return (
    tools.mayKnowOwn ||
    messages.some((message) => filesOf(message).length > 0) ||
    callPartsOf(parts).some(({ body }) => isOwn(body))
  );
}

function isKnownAddress(address: string, tools: ReplyTools, { messages, parts }: ReplyContext): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const isSame = (other: string) => URL.parse(other)?.href === url.href;
  const found = callPartsOf(parts).flatMap(({ body }): readonly ToolSource[] =>
    tools.reachOf(body) === "engine" ? (body.sources ?? []) : [],
  );
  if (found.some((source) => isSame(source.url))) return true;
  return messages.some((message) => message.role === "user" && addressesIn(textOf(message)).some(isSame));
}

/** Returns the addresses in a text of a person, also without the marks that may follow them in a sentence. */
function addressesIn(text: string): string[] {
  const words = text.match(/https?:\/\/[^\s<>"]+/gi) ?? [];
  return words.flatMap((word) => [word, word.replace(/[.,;:!?)\]}'»”]+$/u, "")]);
}
