import { setImmediate } from "node:timers/promises";
import type { SendRequest } from "#contract/conversation/conversation-calls.ts";
import { inRuns } from "../database/in-runs.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { type ReadyFile, takeFiles, toAttachedFile } from "../files/attached-file-store.ts";
import type { Files } from "../files/files.ts";
import type { ReadableFile } from "../files/readable-file.ts";
import type { PromptMessage } from "../models/model.ts";
import { promptMessage } from "../models/prompt-message.ts";
import type { CountedMessage } from "./branch-store.ts";
import { FILE, type Part } from "./parts/message-part.ts";

/** Files of a message that is about to be stored, and their parts, which are not numbered yet. */
export type Attachments = { files: readonly ReadyFile[]; parts: readonly Omit<Part, "seq" | "rev">[] };

/** Messages and files that are converted in about a ms. */
const CONVERTED_AT_ONCE = 1000;

/**
 * Takes the files that a question names, in its transaction.
 * @throws Failure `file-gone` if one is absent, not ready or of another account; `too-many-files`
 */
export async function takeAttachments(
  db: Queryable,
  userId: string,
  { files: ids = [] }: Pick<SendRequest, "files">,
  { maxFilesPerMessage }: { maxFilesPerMessage: number },
): Promise<Attachments> {
  if (ids.length > maxFilesPerMessage) throw new Failure("too-many-files");
  const files = await takeFiles(db, userId, ids);
  if (!files) throw new Failure("file-gone");
  return { files, parts: files.map((file) => ({ at: 0, kind: FILE, run: 0, body: toAttachedFile(file) })) };
}

/**
 * Returns the messages of a prompt with their files. Reads only the messages that name files, and yields to the event loop
 * between two statements and during the conversion of a long branch.
 */
export async function withFiles(
  db: Queryable,
  files: Pick<Files, "listOf">,
  branch: readonly CountedMessage[],
): Promise<PromptMessage[]> {
  const naming = branch.filter((message) => message.files > 0);
  const byMessage = new Map<string, readonly ReadableFile[]>();
  for (const [at, run] of [...inRuns(naming, (message) => message.files)].entries()) {
    // Yields to the event loop, because SQLite queries are synchronous.
    if (at > 0) await setImmediate();
    const named = await files.listOf(
      db,
      run.map(({ id }) => id),
    );
    for (const [id, list] of named) byMessage.set(id, list);
  }
  return toPromptMessages(branch, byMessage);
}

/**
 * Pictures of an answer travel with the next question, because the APIs take pictures from the user only. An answer
 * without text has the names of its pictures instead.
 */
async function toPromptMessages(
  branch: readonly CountedMessage[],
  byMessage: ReadonlyMap<string, readonly ReadableFile[]>,
): Promise<PromptMessage[]> {
  const messages: PromptMessage[] = [];
  let ofAnswers: ReadableFile[] = [];
  let converted = 0;
  for (const { id, role, content } of branch) {
    const files = byMessage.get(id) ?? [];
    if (role === "assistant") {
      ofAnswers.push(...files);
      const names = files.map(({ name }) => name).join(", ");
      messages.push(promptMessage(role, content === "" && names !== "" ? `[${names}]` : content));
    } else {
      messages.push(promptMessage(role, content, [...ofAnswers, ...files]));
      ofAnswers = [];
    }
    converted += 1 + files.length;
    if (converted < CONVERTED_AT_ONCE) continue;
    await setImmediate();
    converted = 0;
  }
  return messages;
}

/** Names a question for titles: its text, or the names of its files if it has none. */
export function questionWords({ content }: Pick<MessageRow, "content">, files: readonly { name: string }[]): string {
  return content.trim() === "" ? files.map(({ name }) => name).join(", ") : content;
}
