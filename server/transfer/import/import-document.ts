import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import { wellFormed } from "#contract/text/well-formed.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ImportReason,
  type ImportRequest,
  type ImportResult,
  importedChatSchema,
  importSchema,
} from "#contract/transfer/transfer.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { type DiskFloor, refuseBelowFloor } from "../../config/disk-space.ts";
import { deriveKey } from "../../config/secret-key.ts";
import { isFilePart } from "../../conversation/parts/message-part.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import { codeOf, isRefusedStatement } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { QuotaSettings } from "../../limits/quota.ts";
import type { Log } from "../../log.ts";
import { hasChat, importedFrom, wasImported } from "../transfer-store.ts";
import { type ChatToImport, importedMessageSchema, type MessageToImport } from "./chat-to-import.ts";
import { BrokenTree } from "./check-tree.ts";
import { type ImportedChat, importChat } from "./import-chat.ts";
import { importFiling } from "./import-filing.ts";
import { nameArrivedFiles } from "./imported-files.ts";

export type ImportDeps = DiskFloor & {
  database: Database;
  clock: Clock;
  bus: Bus;
  config: QuotaSettings;
  secretKey: string;
  log: Pick<Log, "error">;
  isDraining(): boolean;
  /** Whether the import ends before the next chat; the chats that are not reached have no outcome. */
  isStopped?(): boolean;
  /** Yields to the event loop if the time slice is over. */
  step(): Promise<void>;
};

const TITLE_CHARS = 100;

/**
 * Imports the chats of a file independently of each other. A broken chat is reported and changes nothing; an existing
 * one is skipped. Therefore the same file may be sent again after a failure.
 * @param onInstructions called in the transaction that gives the account the file's instructions
 * @throws Failure `not-an-export`, `newer-export`; `draining` between chats if the server is shutting down;
 *   `storage-full` if the disk of the data folder has too little free space
 */
export async function importDocument(
  deps: ImportDeps,
  userId: string,
  document: unknown,
  onInstructions: (db: Queryable) => Promise<void> = async () => undefined,
): Promise<ImportResult> {
  const { database, clock, bus, config: quota, secretKey, isDraining, step } = deps;
  const request = parseDocument(document);
  const { filing, ...filed } = await database
    .transaction()
    .execute((db) => importFiling(db, { userId, request, now: clock.now(), onInstructions }));
  const result: ImportResult = { imported: 0, skipped: 0, deleted: 0, outcomes: [], ...filed };
  const key = deriveKey(secretKey, "imported-origins");
  try {
    for (const [at, given] of request.chats.entries()) {
      if (isDraining()) throw new Failure("draining");
      if (deps.isStopped?.()) break;
      await refuseBelowFloor(deps);
      const chat = await parseChat(given, step);
      const { outcome, problem } =
        typeof chat === "string"
          ? { problem: chat }
          : await importOne(deps, {
              ...{ userId, chat, filing, quota, now: clock.now(), step },
              originDigest: originDigestOf(key, userId, chat),
              again: request.again !== false,
            });
      if (outcome !== undefined) result[outcome] += 1;
      result.outcomes.push(outcome ?? "refused");
      if (problem !== undefined) result.problems.push({ chat: nameOf(given, at), reason: problem });
    }
    return result;
  } finally {
    bus.publish(topics.account(userId));
  }
}

/** Returns the chat, or the reason why it is invalid. */
async function parseChat(given: unknown, step: ImportDeps["step"]): Promise<ChatToImport | ImportReason> {
  const parsed = importedChatSchema.safeParse(given);
  if (!parsed.success) return reasonOf(parsed.error.issues);
  const messages: MessageToImport[] = [];
  for (const one of parsed.data.messages) {
    const message = importedMessageSchema.safeParse(one);
    if (!message.success) return reasonOf(message.error.issues);
    messages.push(message.data);
    await step();
  }
  return { ...parsed.data, messages };
}

const hasFiles = ({ messages }: ChatToImport) => messages.some(({ parts }) => parts.some(isFilePart));

/** `problem` beside an outcome: the chat lacks files. */
type Outcome = { outcome?: "imported" | "skipped" | "deleted"; problem?: ImportReason };

/** `again`: whether a chat is imported although the account has deleted it. */
type GivenChat = ImportedChat & { again: boolean };

async function importOne({ database, log }: ImportDeps, { again, ...given }: GivenChat): Promise<Outcome> {
  const { userId, chat, originDigest } = given;
  try {
    const isPresent = await hasChat(database, userId, chat);
    if (!isPresent && !again && originDigest !== undefined && (await wasImported(database, userId, originDigest))) {
      return { outcome: "deleted" };
    }
    const outcome = !isPresent && (await importChat(database, given)) ? "imported" : "skipped";
    const lacksFiles = hasFiles(chat) && (await nameArrivedFiles(database, userId, chat));
    return { outcome, ...(lacksFiles && { problem: "files" }) };
  } catch (error) {
    if (error instanceof BrokenTree) return { problem: "tree" };
    if (error instanceof Failure && error.code === "too-large") return { problem: "too-large" };
    if (error instanceof Failure && error.code === "quota-reached") return { problem: "quota" };
    // Its values are the only cause that is not the same for every other chat of the file.
    if (!isRefusedStatement(error)) throw error;
    // Without the error: its details may contain a row.
    log.error({ code: codeOf(error) }, "a chat was not imported, because the database refused a statement");
    return { problem: "broken" };
  }
}

/**
 * Returns what is kept of a chat of another service when the chat is deleted, so that the next import of the same file does
 * not bring it back. Keyed, so that it names the chat to nobody.
 */
function originDigestOf(key: Uint8Array, userId: string, chat: ChatToImport): string | undefined {
  if (!chat.origin) return undefined;
  return createHmac("sha256", key)
    .update(`${userId}\n${importedFrom(chat)}`)
    .digest("base64url");
}

/** Identifies our format. Validated first, so that the error for another file names the expected format. */
const signSchema = z.object({ format: z.literal(EXPORT_FORMAT), version: z.int().check(z.minimum(1)) });

function parseDocument(document: unknown): ImportRequest {
  const sign = signSchema.safeParse(document);
  if (!sign.success) throw new Failure("not-an-export");
  if (sign.data.version > EXPORT_VERSION) throw new Failure("newer-export");
  const parsed = importSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const isTooMany = parsed.error.issues.some(({ code, path }) => code === "too_big" && path[0] === "chats");
  throw new Failure(isTooMany ? "too-large" : "not-an-export");
}

function reasonOf(issues: readonly z.core.$ZodIssue[]): ImportReason {
  return issues.every(({ code, path }) => code === "too_big" && ["messages", "content"].includes(String(path.at(-1))))
    ? "too-large"
    : "broken";
}

/** Returns a name for a chat in reported problems: its title, else its position in the file. */
function nameOf(given: unknown, at: number): string {
  const title = typeof given === "object" && given !== null && "title" in given ? given.title : undefined;
  if (typeof title !== "string" || title.trim() === "") return `#${at + 1}`;
  return wellFormed(title.slice(0, TITLE_CHARS));
}
