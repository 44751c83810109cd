import { WAITING } from "#contract/conversation/reply-state.ts";
import type { DecisionAnswer, DecisionRequest } from "#contract/conversation/tool-calls.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { DAY } from "#contract/limits.ts";
import { type Bus, topics } from "../../../bus/bus.ts";
import { markGrown } from "../../../chats/change-store.ts";
import { holdChatOrDeleted } from "../../../chats/chat-store.ts";
import type { ChatRow, Database, MessageRow, Queryable } from "../../../database/schema.ts";
import { Failure } from "../../../failure.ts";
import { parseSeams } from "../../../text/seams.ts";
import { storedBytes } from "../../../text/stored-bytes.ts";
import { callDigest, type Toolbox } from "../../../tools/toolbox.ts";
import {
  bodyOf,
  callPartsOf,
  isPending,
  needsDecision,
  type Part,
  type ToolBody,
  type ToolCallPart,
  toPartRow,
} from "../../parts/message-part.ts";
import { readParts, upsertParts } from "../../parts/part-store.ts";
import { answersIn, storeAnswersOf } from "./given-answers.ts";
import { removeTurns } from "./provider-turn-store.ts";
import { storeApproval } from "./tool-approval-store.ts";
import { type CallChange, unansweredCalls, withCallChanges } from "./unanswered-calls.ts";
import { listWaiting, listWaitingSince, movePartsToRun, stopWaiting, storeRevInState } from "./waiting-reply-store.ts";

/** A reply with its parts, whose chat is locked. */
export type HeldReply = { row: MessageRow; parts: Part[] };

/** Bytes of a message as the counters of its chat have them. */
const bytesOf = ({ role, content, seams }: MessageRow, parts: readonly Part[]) =>
  storedBytes({
    role,
    content,
    seams: parseSeams(seams),
    parts: parts.map((part) => ({ kind: part.kind, body: bodyOf(part) })),
  });

/** Stores changes of calls, and returns the parts with them and the growth of the counters in bytes. */
async function storeChanges(db: Queryable, { row, parts }: HeldReply, changes: readonly CallChange[]) {
  const changed = withCallChanges(parts, changes, row.rev);
  const isChanged = (part: Part) => part.rev > row.rev;
  const after = changed.parts.filter(isChanged);
  await upsertParts(
    db,
    after.map((part) => toPartRow(row.id, part)),
  );
  return { ...changed, bytes: bytesOf(row, changed.parts) - bytesOf(row, parts) };
}

const DECLINED = { state: "declined", result: "The person declined this call.", reason: "person" } as const;
const SKIPPED = {
  result: "It is not known whether this call was run. The person goes on without its result.",
} as const;

function changeOf(call: ToolCallPart, answer: DecisionAnswer): Partial<ToolBody> {
  const { state } = call.body;
  if (state === "asking") return { state: "approved", question: undefined };
  if (answer === "no") return state === "unknown" ? SKIPPED : DECLINED;
  if (answer === "skip") {
    if (state !== "unknown") throw new Failure("invalid-input");
    return SKIPPED;
  }
  return { state: "approved" };
}

type Deciding = { chat: ChatRow; toolbox: Toolbox; now: number };

/**
 * Stores decisions on the calls of a waiting reply, whose chat is locked. Calls that are decided already do not change.
 * @returns the reply, and the growth of the counters in bytes
 * @throws Failure `invalid-input` for a call that the reply does not have, or with other arguments; `already-decided` for
 * an earlier attempt of a call, which may have acted since, and if no call of them waits
 */
export async function decideCalls(
  db: Queryable,
  row: MessageRow,
  { decisions }: Pick<DecisionRequest, "decisions">,
  { chat, toolbox, now }: Deciding,
): Promise<HeldReply & { bytes: number }> {
  const parts = await readParts(db, row);
  const calls = new Map(callPartsOf(parts).map((call) => [call.seq, call]));
  const changes = new Map<number, CallChange>();
  for (const { seq, digest, attempt, answer, answers: filledIn } of decisions) {
    const call = calls.get(seq);
    if (!call || call.body.digest !== digest) throw new Failure("invalid-input");
    if (!needsDecision(call)) continue;
    if (call.body.attempt !== attempt) throw new Failure("already-decided");
    const answers = answersIn(call, { answer, answers: filledIn });
    if (answers !== undefined) await storeAnswersOf(db, row, call, answers);
    changes.set(seq, { seq, change: changeOf(call, answer) });
    if (answer !== "chat" && answer !== "always") continue;
    const named = await toolbox.find({ db, userId: row.user_id }, call.body);
    // The approval of a tool that has changed since would be one of something that was not shown.
    if (!named || callDigest(named, call.body.arguments) !== digest) continue;
    await storeApproval(db, {
      user_id: row.user_id,
      chat_id: answer === "chat" ? chat.id : null,
      server: call.body.server,
      name: call.body.name,
      schema_digest: named.schemaDigest,
      created_at: now,
    });
  }
  if (changes.size === 0) throw new Failure("already-decided");
  const stored = await storeChanges(db, { row, parts }, [...changes.values()]);
  await storeRevInState(db, { id: row.id, state: WAITING, rev: stored.rev });
  return { row: { ...row, rev: stored.rev }, parts: stored.parts, bytes: stored.bytes };
}

/**
 * Moves the calls of a reply that may still change to the run that begins, and out of the counters, which get them back
 * at its end. @returns the parts, and the growth of the counters in bytes, which is negative
 */
export async function movePendingCalls(
  db: Queryable,
  { row, parts }: HeldReply,
  run: number,
): Promise<{ parts: Part[]; bytes: number }> {
  const pending = callPartsOf(parts).filter(isPending);
  const seqs = pending.map(({ seq }) => seq);
  if (seqs.length === 0) return { parts, bytes: 0 };
  await movePartsToRun(db, row.id, seqs, run);
  const isMoved = ({ seq }: Part) => seqs.includes(seq);
  return {
    parts: parts.map((part) => (isMoved(part) ? { ...part, run } : part)),
    bytes:
      bytesOf(
        row,
        parts.filter((part) => !isMoved(part)),
      ) - bytesOf(row, parts),
  };
}

/**
 * Ends the waiting replies of a locked chat: their calls that wait are declined. Counts the change. `code`: why.
 * @returns whether there were any
 */
export async function endWaiting(
  db: Queryable,
  { id: chatId, user_id: userId }: Pick<ChatRow, "id" | "user_id">,
  { now, code }: { now: number; code?: ErrorCode },
): Promise<boolean> {
  const rows = await listWaiting(db, chatId);
  for (const row of rows) {
    const { rev, bytes } = await endCalls(db, row);
    await stopWaiting(db, { id: row.id, rev, now, code });
    await removeTurns(db, row.id);
    await markGrown(db, userId, chatId, { bytes });
  }
  return rows.length > 0;
}

/**
 * Ends the calls without a result of a reply that is stopped, whose chat is locked.
 * @returns the revision of the reply, which is not stored yet, and the growth of the counters in bytes
 */
export async function endCalls(db: Queryable, row: MessageRow): Promise<{ rev: number; bytes: number }> {
  const parts = await readParts(db, row);
  return storeChanges(db, { row, parts }, unansweredCalls(parts, "stopped"));
}

/** Time after which calls without a decision are declined. */
const WAITING_LIFE_MS = 30 * DAY;

/** Ends replies that have waited for a month, a chat at a time. `signal`: ends the sweep. */
export async function endLongWaiting(
  { database, bus }: { database: Database; bus: Bus },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const chats = await listWaitingSince(database, now - WAITING_LIFE_MS);
  for (const chat of chats) {
    if (signal.aborted) return;
    const isEnded = await database.transaction().execute(async (db) => {
      const held = await holdChatOrDeleted(db, chat.user_id, chat.id);
      return held !== undefined && (await endWaiting(db, held, { now }));
    });
    if (isEnded) bus.publish(topics.account(chat.user_id));
  }
}
