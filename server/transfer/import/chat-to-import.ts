import * as z from "zod/mini";
import type { Role } from "#contract/conversation/conversation.ts";
import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { FILES_PER_MESSAGE_MAX } from "#contract/limits.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import { type ExportedChat, exportedMessageSchema } from "#contract/transfer/transfer.ts";
import { isFilePart, type Part } from "../../conversation/parts/message-part.ts";
import { validParts } from "../../conversation/parts/valid-parts.ts";

/** Messages of a file. An invalid part is dropped, and does not make its message invalid. */
export const importedMessageSchema = z.pipe(
  z.extend(z.omit(exportedMessageSchema, { parts: true }), { parts: z.optional(z.unknown()) }),
  z.transform((message) => ({
    ...message,
    parts: countedParts(message),
  })),
);

/** A message of a file, with the parts that are stored. */
export type MessageToImport = z.infer<typeof importedMessageSchema> & { parts: Part[] };
export type ChatToImport = Omit<ExportedChat, "messages"> & { messages: MessageToImport[] };

/** A reply without text and files counts nothing against the quota, so it gets no parts. */
function countedParts(message: { role: Role; content: string; parts?: unknown }): Part[] {
  const parts = partsOf(message);
  return message.role === "assistant" && isEmptyMessage({ content: message.content, parts }) ? [] : parts;
}

/** Returns the parts that are stored. Names of files are harmless, and a message has as many files as one that is sent. */
function partsOf({ parts, content }: { parts?: unknown; content: string }): Part[] {
  let files = 0;
  return validParts(parts, content).flatMap((part) => {
    if (!isFilePart(part)) return part;
    files++;
    const body = { ...part.body, name: cleanFileName(String(part.body.name)) };
    return files > FILES_PER_MESSAGE_MAX ? [] : { ...part, body };
  });
}
