import { PARTS_MAX } from "#contract/limits.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportDocument,
  type ExportedMessage,
} from "#contract/transfer/transfer.ts";
import { storedBytes } from "../../server/text/stored-bytes.ts";
import type { ArrayBody } from "../../testing/http/largest-arrays.ts";

/** The default of MAX_CHAT_MB. */
const CHAT_BYTES = 16_000_000;
const MESSAGES = "chats[].messages";

/** An import of one chat that is as full of one array's elements as its quota admits. */
export type FullChat = { name: string; document: ExportDocument };

/**
 * Yields the fullest chats: one for each array in a message of the export format, one of messages in one branch, one of
 * messages that are alternatives to each other, and one whose messages name one file as often as they may.
 * @param bodies every array of the contract's requests
 * @param file id of an uploaded file
 */
export function* fullestChats(bodies: readonly ArrayBody[], file: string): Generator<FullChat> {
  for (const { route, array, maxItems = 0, of } of bodies) {
    if (route !== "POST /import" || !array.startsWith(`${MESSAGES}[].`)) continue;
    const [chat] = (of(maxItems) as ExportDocument).chats;
    const [message] = chat?.messages ?? [];
    if (message) yield { name: array.slice(MESSAGES.length + 3), document: documentOf(filled(valid(message))) };
  }
  const short = valid({ content: "a" });
  const most = bodies.find(({ route, array }) => route === "POST /import" && array === MESSAGES)?.maxItems ?? 0;
  yield { name: "messages", document: documentOf(filled(short, most)) };
  const beside = filled(short, most).map((message) => ({ ...message, parent: null }));
  yield { name: "alternatives", document: documentOf(beside) };
  const facts = { kind: "file", at: 0, id: file, name: "a.txt", type: "text/plain", size: 1 };
  const parts = Array.from({ length: 100 }, (_, seq) => ({ ...facts, seq }));
  yield { name: "files", document: documentOf(filled(valid({ role: "user", content: "a", parts }))) };
}

/** Returns a message with the given elements that an import stores whole. */
function valid(given: Partial<ExportedMessage>): ExportedMessage {
  const { seams, parts } = given;
  return {
    id: "",
    parent: null,
    role: given.role === "user" && !seams && parts ? "user" : "assistant",
    content: "a".repeat((seams?.length ?? 0) + 1),
    state: "complete",
    model: null,
    // Only distinct seams inside the text are stored.
    ...(seams && { seams: seams.map((_, at) => at + 1) }),
    ...(parts && { parts: parts.slice(0, PARTS_MAX) }),
    createdAt: 1,
    endedAt: 1,
  };
}

/** Repeats a message in one branch until the chat is full. */
function filled(message: ExportedMessage, most = Number.POSITIVE_INFINITY): ExportedMessage[] {
  const { role, content, seams = [], parts = [] } = message;
  const bodies = parts.map(({ seq: _, at: __, kind, ...body }) => ({ kind, body: JSON.stringify(body) }));
  const bytes = storedBytes({ role, content, seams: seams.map((at) => ({ at, run: 0 })), parts: bodies });
  const count = Math.min(most, Math.floor(CHAT_BYTES / bytes));
  return Array.from({ length: count }, (_, at) => ({
    ...message,
    id: `m${at}`,
    parent: at === 0 ? null : `m${at - 1}`,
  }));
}

let chats = 0;

function documentOf(messages: ExportedMessage[]): ExportDocument {
  const id = `full${++chats}`;
  const chat = {
    id,
    // By which the imported chat is found.
    title: id,
    titleOrigin: "person" as const,
    createdAt: 1,
    updatedAt: 1,
    isPinned: false,
    isArchived: false,
    folder: null,
    instructions: "",
    preset: null,
    leaf: messages.at(-1)?.id ?? null,
    messages,
  };
  return { format: EXPORT_FORMAT, version: EXPORT_VERSION, chats: [chat] };
}
