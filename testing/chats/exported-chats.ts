import {
  EXPORT_FORMAT,
  type ExportedChat,
  type ExportedMessage,
  type ImportRequest,
} from "#contract/transfer/transfer.ts";

let ids = 0;

/** A message of an export file. */
export function message(given: Partial<ExportedMessage> = {}): ExportedMessage {
  return {
    id: `m${++ids}`,
    parent: null,
    role: "user",
    content: "What is a fjord?",
    state: "complete",
    model: null,
    createdAt: 1_700_000_000_000,
    endedAt: 1_700_000_000_000,
    ...given,
  };
}

/** A chat of an export file: a question and its answer. */
export function exported(given: Partial<ExportedChat> = {}): ExportedChat {
  const question = message();
  const answer = message({ parent: question.id, role: "assistant", content: "An inlet.", model: "GPT:gpt-5" });
  return {
    id: `c${++ids}`,
    title: "Fjords",
    titleOrigin: "model",
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    isPinned: false,
    isArchived: false,
    folder: null,
    instructions: "",
    preset: null,
    leaf: answer.id,
    messages: [question, answer],
    ...given,
  };
}

/** An import whose chats may be invalid. */
export type LooseDocument = Omit<Partial<ImportRequest>, "chats"> & { chats?: readonly unknown[] };
export const documentOf = (given: LooseDocument = {}) => ({ format: EXPORT_FORMAT, version: 1, chats: [], ...given });
