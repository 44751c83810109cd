import { anthropicMessagesWire } from "./anthropic/anthropic-messages-wire.ts";
import { openAiChatWire } from "./openai/openai-chat-wire.ts";
import { openAiResponsesWire } from "./openai/openai-responses-wire.ts";
import type { Wire } from "./wire.ts";

/** Every wire format that the provider speaks. A new format is an entry here. */
const wires: readonly Wire[] = [openAiChatWire, openAiResponsesWire, anthropicMessagesWire];

/** Returns the wire format whose endpoint is at the end of `path`. */
export function wireAt(path: string): Wire | undefined {
  return wires.find(({ endpoint }) => path.endsWith(endpoint));
}
