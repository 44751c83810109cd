import * as z from "zod/mini";
import { messageTextSchema } from "./calls/conversation-calls.ts";
import { instructionsField } from "./calls/preset-calls.ts";
import { roleSchema } from "./conversation.ts";
import { effortSchema } from "./effort.ts";
import { rule } from "./text/validation.ts";
import { looseText } from "./text/well-formed.ts";

const messagesSchema = z
  .array(z.object({ role: roleSchema, content: messageTextSchema }))
  .check(z.minLength(1, { error: rule("required") }), z.refine(isFromQuestionToQuestion, { error: rule("invalid") }));

/**
 * A conversation that the server does not store, oldest message first: questions and answers alternate, and the first
 * and last message are questions.
 */
export const temporaryRequestSchema = z.object({
  messages: messagesSchema,
  /** Value of a model; absent or `auto` is automatic choice. */
  model: z.optional(z.string().check(z.maxLength(200))),
  /** Effort of reasoning; absent: as the preset has it, else the model. */
  effort: z.optional(effortSchema),
  /** An unknown id counts as none. */
  presetId: z.optional(z.nullable(looseText(64))),
  /** Instructions for the models in this conversation. */
  instructions: z.optional(instructionsField()),
});
export type TemporaryRequest = z.infer<typeof temporaryRequestSchema>;
export type TemporaryMessage = TemporaryRequest["messages"][number];

function isFromQuestionToQuestion(messages: readonly Pick<TemporaryMessage, "role">[]): boolean {
  return messages.length % 2 === 1 && messages.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant"));
}
