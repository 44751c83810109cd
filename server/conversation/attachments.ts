import { setImmediate } from "node:timers/promises";
import type { SendRequest } from "#contract/conversation/conversation-calls.ts";
import { FILES_PER_MESSAGE_MAX } from "#contract/limits.ts";
import { inRuns } from "../database/in-runs.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { type ReadyFile, takeFiles, toAttachedFile } from "../files/attached-file-store.ts";
import type { Files } from "../files/files.ts";
import type { ReadableFile } from "../files/readable-file.ts";
import type { PromptMessage } from "../models/model.ts";
import { promptMessage } from "../models/prompt-message.ts";
import type { BranchMessage } from "./branch-store.ts";
import { FILE, type Part } from "./parts/message-part.ts";
import { rowsOf } from "./parts/part-store.ts";

/** Files of a message that is about to be stored, and their parts, which are not numbered yet. */
export type Attachments = { files: readonly ReadyFile[]; parts: readonly Omit<Part, "seq" | "rev">[] };

/** Messages of a branch that are converted in a few ms. */
const LONG_BRANCH = 1000;

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
 * Returns the messages of a prompt with their files. Reads nothing if no message has parts. Yields to the event loop
 * before and after the conversion of a long branch.
 */
export async function withFiles(
  db: Queryable,
  files: Pick<Files, "listOf">,
  branch: readonly BranchMessage[],
): Promise<PromptMessage[]> {
  const withParts = branch.filter(({ rev }) => rev > 0);
  const byMessage = new Map<string, readonly ReadableFile[]>();
  for (const [at, run] of [...inRuns(withParts, mostFiles)].entries()) {
    // Yields to the event loop, because SQLite queries are synchronous.
    if (at > 0) await setImmediate();
    const named = await files.listOf(
      db,
      run.map(({ id }) => id),
    );
    for (const [id, list] of named) byMessage.set(id, list);
  }
  await afterLong(branch);
  const messages = toPromptMessages(branch, byMessage);
  await afterLong(branch);
  return messages;
}

/** Most files that a message may have. The other parts of a reply are not read. */
const mostFiles = (message: Pick<BranchMessage, "role" | "rev">) =>
  message.role === "user" ? rowsOf(message) : Math.min(rowsOf(message), FILES_PER_MESSAGE_MAX);

/**
 * Pictures of an answer travel with the next question, because the APIs take pictures from the user only. An answer
 * without text has the names of its pictures instead.
 */
function toPromptMessages(
  branch: readonly BranchMessage[],
  byMessage: ReadonlyMap<string, readonly ReadableFile[]>,
): PromptMessage[] {
  let ofAnswers: readonly ReadableFile[] = [];
  return branch.map(({ id, role, content }) => {
    const files = byMessage.get(id) ?? [];
    if (role === "assistant") {
      ofAnswers = [...ofAnswers, ...files];
      const names = files.map(({ name }) => name).join(", ");
      return promptMessage(role, content === "" && names !== "" ? `[${names}]` : content);
    }
    const message = promptMessage(role, content, [...ofAnswers, ...files]);
    ofAnswers = [];
    return message;
  });
}

async function afterLong(branch: readonly unknown[]): Promise<void> {
  if (branch.length > LONG_BRANCH) await setImmediate();
}

/** Names a question for titles: its text, or the names of its files if it has none. */
export function questionWords({ content }: Pick<MessageRow, "content">, files: readonly { name: string }[]): string {
  return content.trim() === "" ? files.map(({ name }) => name).join(", ") : content;
}
