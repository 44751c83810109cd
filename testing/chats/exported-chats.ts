import {
  EXPORT_FORMAT,
  type ExportDocument,
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

/** Returns the content of an export without ids and date, which differ between exports of equal content. */
export function meaningOf({ account, folders = [], presets = [], chats }: ExportDocument): unknown {
  const indexIn = (list: readonly { id: string }[], id: string | null) => list.findIndex((one) => one.id === id);
  const plain = {
    account,
    folders: folders.map(({ name }) => name),
    presets: presets.map(({ id: _, ...preset }) => preset),
    chats: chats.map(({ id: _, folder, preset, leaf, messages, ...chat }) => ({
      ...chat,
      folder: indexIn(folders, folder),
      preset: indexIn(presets, preset),
      leaf: indexIn(messages, leaf),
      messages: messages.map(({ id: __, parent, ...message }) => ({ ...message, parent: indexIn(messages, parent) })),
    })),
  };
  // Omits `undefined` properties, like the JSON on the wire.
  return JSON.parse(JSON.stringify(plain));
}
