import * as z from "zod/mini";
import { type ExportedChat, exportedMessageSchema } from "#contract/transfer.ts";
import type { Part } from "../../conversation/parts/message-part.ts";
import { importedParts } from "./imported-parts.ts";

/** Messages of a file. An invalid part is dropped, and does not make its message invalid. */
export const importedMessageSchema = z.pipe(
  z.extend(z.omit(exportedMessageSchema, { parts: true }), { parts: z.optional(z.unknown()) }),
  z.transform((message) => ({
    ...message,
    // A reply without text counts nothing against the quota, so it gets no parts.
    parts: message.role === "assistant" && message.content === "" ? [] : importedParts(message.parts, message.content),
  })),
);

/** A message of a file, with the parts that are stored. */
export type MessageToImport = z.infer<typeof importedMessageSchema> & { parts: Part[] };
export type ChatToImport = Omit<ExportedChat, "messages"> & { messages: MessageToImport[] };
