import type { MessagePart } from "#contract/conversation/parts.ts";

/** Whether a part is a call of a tool on which a person must decide before its reply goes on. */
export function needsDecision({ kind, state, result }: MessagePart): boolean {
  return kind === "tool" && (state === "proposed" || (state === "unknown" && result === undefined));
}
