import type { MessagePart } from "#contract/conversation/parts.ts";

/** Whether a part is a call of a tool on which a person must decide, or that asks the person, before its reply continues. */
export function needsDecision({ kind, state, result }: MessagePart): boolean {
  if (kind !== "tool") return false;
  return state === "proposed" || state === "asking" || (state === "unknown" && result === undefined);
}
