import { webSourceOf } from "#contract/conversation/citations/cited-sources.ts";
import { type KnownPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ShareOptions } from "#contract/shares/shares.ts";
import type { ExportedMessage } from "#contract/transfer/transfer.ts";

/**
 * Returns a message as a reader of a link copies it: the text, and the parts that the page contains. Numbers of tokens are
 * left out, because they depend on the instructions.
 */
export function sharedMessage(message: ExportedMessage, options: ShareOptions): ExportedMessage {
  const { id, parent, role, content, state, model, isTruncated, createdAt, endedAt, parts = [] } = message;
  const shared = parts.flatMap((part) => sharedPart(part, options) ?? []);
  return {
    ...{ id, parent, role, content, state, model, createdAt, endedAt },
    ...(isTruncated && { isTruncated }),
    ...(shared.length > 0 && { parts: shared }),
  };
}

function sharedPart(part: MessagePart, options: ShareOptions): MessagePart | undefined {
  const known = toKnownPart(part);
  return known && sharedBody(known, options);
}

/** States of calls that have ended. */
const ended: readonly string[] = ["declined", "succeeded", "failed", "unknown"];

function sharedBody(part: KnownPart, options: ShareOptions): MessagePart | undefined {
  const { seq, at } = part;
  if (part.kind === "reasoning") return options.reasoning ? part : undefined;
  if (part.kind === "notice") return part.code === "no-tool-run" ? part : undefined;
  if (part.kind === "file") return options.files && (part.tool === undefined || options.tools) ? part : undefined;
  if (part.kind === "source") {
    const source = webSourceOf(part);
    // The snapshots of sources are in results of tools.
    return source ? { seq, at, kind: "source", ...source, checked: "unchecked" } : undefined;
  }
  if (!options.tools || !ended.includes(part.state)) return undefined;
  const { server, name, call, step, state, arguments: given, digest, result, title } = part;
  return {
    ...{ seq, at, kind: "tool", server, name, call, step, state, arguments: given, digest },
    ...(result !== undefined && { result }),
    ...(title !== undefined && { title }),
  };
}
