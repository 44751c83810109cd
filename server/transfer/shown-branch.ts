import { toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import type { ExportedMessage } from "#contract/transfer/transfer.ts";
import type { MessageSize } from "../conversation/branch-store.ts";
import { contentOf } from "../conversation/message-content.ts";
import { FILE, isFilePart } from "../conversation/parts/message-part.ts";
import { readBranch, readMessage } from "../conversation/read-pages.ts";
import type { ChatRow } from "../database/schema.ts";
import type { ReadableFile } from "../files/readable-file.ts";
import type { ExportDeps } from "./export-json.ts";
import { toExportedMessage } from "./to-exported.ts";

/** A message as Markdown and HTML files show it. */
export type ShownMessage = {
  /** "You" or "Assistant". */
  who: string;
  /** Name of the model that wrote it, and when. */
  details: string;
  text: string;
  /** Explains why an answer is incomplete; empty if it is complete. */
  remark: string;
  /** Its parts, by position. */
  parts: readonly MessagePart[];
  files: readonly ShownFile[];
};

/** A file at its message. `stored`: undefined if it is no longer here. */
export type ShownFile = { name: string; stored: ReadableFile | undefined };

const remarks = {
  complete: "",
  writing: "",
  waiting: "This answer waits for a decision about a tool.",
  stopped: "This answer was stopped.",
  failed: "This answer broke off.",
  interrupted: "This answer was interrupted.",
} as const;

/**
 * Content of a file for people. `signal`: aborted when the client disconnects. `withReasoning`: the models' reasoning is
 * in it. `message`: the only message in it; undefined for the shown branch.
 */
export type FileOptions = { signal: AbortSignal; withReasoning: boolean; message: MessageSize | undefined };

/**
 * A message of a branch as exports have it, and those of its files that are stored. `isWriting`: it is being written; its
 * exported state is `interrupted`.
 */
export type ExportedOfBranch = { message: ExportedMessage; stored: readonly ReadableFile[]; isWriting: boolean };

/** Yields the messages of a file, oldest first; reads them in pages. */
export async function* readShown(
  deps: ExportDeps,
  chat: ChatRow,
  options: Pick<FileOptions, "message">,
): AsyncGenerator<ShownMessage> {
  for await (const message of readExported(deps, chat, options)) yield toShown(message);
}

/** Yields the messages of a file with what is stored of their files, oldest first; reads them in pages. */
export async function* readExported(
  deps: ExportDeps,
  chat: ChatRow,
  { message }: Pick<FileOptions, "message">,
): AsyncGenerator<ExportedOfBranch> {
  const { database, read } = deps;
  const reader = { database, userId: chat.user_id, read };
  for await (const { rows, stored } of message ? readMessage(reader, message) : readBranch(reader, chat.leaf)) {
    const withFiles = [...stored].filter(([, ofMessage]) => ofMessage.some(isFilePart));
    const files = await deps.files.listOf(
      database,
      withFiles.map(([id]) => id),
      { withResults: true },
    );
    for (const row of rows) {
      const content = await contentOf(deps, row, stored.get(row.id));
      yield {
        message: toExportedMessage(row, content),
        stored: files.get(row.id) ?? [],
        isWriting: isRunning(row.state),
      };
      await read.step();
    }
  }
}

function toShown({ message, stored }: ExportedOfBranch): ShownMessage {
  const { role, content, model, state, createdAt, isTruncated, parts = [] } = message;
  const name = model && modelName(model);
  return {
    who: role === "user" ? "You" : "Assistant",
    details: [...(name ? [name] : []), momentOf(createdAt)].join(" · "),
    text: content,
    remark: isTruncated ? "This answer stopped at the model’s limit of length." : remarks[state],
    parts,
    files: shownFiles(parts, stored),
  };
}

function shownFiles(parts: readonly MessagePart[], stored: readonly ReadableFile[]): ShownFile[] {
  return parts.flatMap((part) => {
    const known = toKnownPart(part);
    if (known?.kind !== FILE) return [];
    return { name: cleanFileName(known.name), stored: stored.find(({ id }) => id === known.id) };
  });
}

/** Returns a model's name at its provider, without the provider's prefix. */
export const modelName = (value: string): string => value.replace(/^[A-Z]+:/, "");

/** Formats a time such as `2026-01-31 23:59 UTC`. The server does not know the reader's time zone. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
