import type { Budgets } from "../../budgets/budgets.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { holdChatOrDeleted } from "../../chats/chat-store.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { ChatRow, Database, MessageRow, Queryable } from "../../database/schema.ts";
import type { Files } from "../../files/files.ts";
import type { InstallationSettings } from "../../installation/installation-settings.ts";
import type { Log } from "../../log.ts";
import {
  type PromptModel,
  type PromptTokens,
  tokensForModel,
  tokensOfPrompt,
} from "../../models/attachments/prompt-files.ts";
import type { Prompt } from "../../models/model.ts";
import type { Models } from "../../models/open-models.ts";
import { windowBytes } from "../../models/prompt-window.ts";
import { tokenise } from "../../search/search-index-store.ts";
import { parseSeams } from "../../text/seams.ts";
import type { Toolbox } from "../../tools/toolbox.ts";
import { type CallCount, estimateCall } from "../../usage/call-count.ts";
import { type CountedCall, countCalls } from "../../usage/usage-store.ts";
import { withFiles } from "../attachments.ts";
import { listBranch } from "../branch-store.ts";
import { callPartsOf, type Part } from "../parts/message-part.ts";
import { readParts } from "../parts/part-store.ts";
import { PAGE_BYTES } from "../read-pages.ts";
import { framePrompt, type PromptFrame } from "../system-prompt.ts";
import { withAnswer } from "./calls/call-prompt.ts";
import { type OpenCall, parseOpenCall } from "./open-call.ts";
import { foldReply, tokeniseResults } from "./reply-end-store.ts";
import { readText, takeRun } from "./reply-store.ts";
import { withLastCitations } from "./steps/citations.ts";
import { withNamedSources } from "./steps/provider-citations.ts";
import { toOffered } from "./steps/reply-tools.ts";
import { framedWithTools } from "./steps/tool-frame.ts";
import { interruptedState, unansweredCalls, withCallChanges } from "./steps/unanswered-calls.ts";

export type RecoveryDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  bus: Bus;
  budgets: Pick<Budgets, "reservedFor" | "settleReply">;
  installation: Pick<InstallationSettings, "current">;
  files: Pick<Files, "listOf">;
  models: Pick<Models, "priceOf" | "windowOf">;
  toolbox: Toolbox;
};

/**
 * Ends replies whose writer has died: they become `interrupted`, or `stopped` if Stop was requested, and keep all
 * stored text. Replies that another run continues meanwhile are not changed.
 */
export async function interruptReplies(deps: RecoveryDeps, unfinished: MessageRow[]): Promise<void> {
  const { log, bus } = deps;
  for (const row of unfinished) {
    // A reply that cannot be ended now, because its row is locked, must not delay the others.
    const isEnded = await interrupt(deps, row).catch((error: unknown) => {
      log.warn({ err: error, reply: row.id }, "reply could not be marked as interrupted yet");
      return false;
    });
    if (!isEnded) continue;
    log.warn({ reply: row.id }, "reply was interrupted");
    bus.publish(topics.reply(row.id));
    bus.publish(topics.account(row.user_id));
  }
}

async function interrupt(deps: RecoveryDeps, unfinished: MessageRow): Promise<boolean> {
  const { database, budgets, clock } = deps;
  const { id, chat_id: chatId, user_id: userId, run } = unfinished;
  const before = await tokenise([await readText(database, unfinished)]);
  const results = await tokeniseResults(database, userId, await readParts(database, unfinished));
  return database.transaction().execute(async (db) => {
    const chat = await holdChatOrDeleted(db, userId, chatId);
    // While the row is locked no further piece is stored, so the next read is complete.
    const row = await takeRun(db, id, run);
    if (!row) return false;
    const content = await readText(db, row);
    const seams = parseSeams(row.seams);
    const endedAt = clock.now();
    const answered = await answeredParts(db, row);
    const call = openCallOf(row, answered.parts);
    const lastCall = callPartsOf(answered.parts).at(-1)?.at ?? 0;
    const cut = { content, from: Math.max(call.text, lastCall), run, rev: answered.rev };
    const cited = withLastCitations(answered.parts, cut);
    const named = { ...cut, rev: cited.rev, from: call.text, named: call.named };
    const { parts, rev } = withNamedSources(cited.parts, named);
    const written = writtenBy(call, content, parts);
    // A model that has written nothing yet does not sign the text of another one.
    const model = written === "" && content !== "" ? row.model : (parseOpenCall(row)?.model ?? row.model);
    const { timeZone } = call;
    const end = { state: interruptedState(parts), model };
    const unfinished = { row, chat, content, parts, written, call };
    const estimate = call.model === null ? [] : [await estimateOf(deps, db, unfinished)];
    const calls = estimate.map((count): CountedCall => ({ ...count, purpose: "reply", messageId: id, at: endedAt }));
    const startLength = row.content.length;
    // Tokenised within the transaction only if a piece was stored meanwhile, which is rare.
    const words = before.has(content) ? before : await tokenise([content]);
    const tokens = { text: words, files: results };
    const text = { content, startLength, seams, parts, rev };
    const isFolded = await foldReply(db, { id, chatId, userId, timeZone, run, ...text, end, endedAt }, tokens);
    if (!isFolded) return false;
    await countCalls(db, userId, calls);
    await budgets.settleReply(db, id, estimate[0]?.costNanoUsd ?? 0);
    return true;
  });
}

/** Reads the parts of a reply whose process has died. Its calls of tools that were sent may have acted. */
async function answeredParts(db: Queryable, row: MessageRow): Promise<{ parts: Part[]; rev: number }> {
  const parts = await readParts(db, row);
  const state = row.stop_requested === 1 ? "stopped" : "interrupted";
  return withCallChanges(parts, unansweredCalls(parts, state), row.rev);
}

/** Returns the call for which the run has waited. */
function openCallOf(row: MessageRow, parts: readonly Part[]): OpenCall {
  const earlier = parts.filter((part) => part.run < row.run);
  const first = { model: row.model ?? "unknown", text: row.content.length, reasoning: reasoningOf(earlier).length };
  return parseOpenCall(row) ?? first;
}

const reasoningOf = (parts: readonly Part[]) => parts.map(({ text = "" }) => text).join("");

/** Returns the text and reasoning of a call that are stored. */
function writtenBy(call: OpenCall, content: string, parts: readonly Part[]): string {
  return content.slice(call.text) + reasoningOf(parts).slice(call.reasoning);
}

type Unfinished = {
  row: MessageRow;
  chat: ChatRow | undefined;
  content: string;
  parts: readonly Part[];
  written: string;
  call: OpenCall;
};

/** Estimates the call for which a reply has waited. */
async function estimateOf(
  deps: RecoveryDeps,
  db: Queryable,
  { row, chat, content, parts, written, call }: Unfinished,
): Promise<CallCount> {
  const { budgets, files, models } = deps;
  const value = call.model ?? "unknown";
  const window = models.windowOf(value);
  const branch = await listBranch(db, row.user_id, row.parent, window ? windowBytes([window]) : PAGE_BYTES);
  const prompt = { ...(await frameOf(deps, db, chat, call.timeZone)), messages: await withFiles(db, files, branch) };
  const sent = tokensOf(withAnswer(prompt, { text: content.slice(0, call.text), parts }), window);
  const limits = window ?? { efforts: undefined, maxOutputTokens: Number.MAX_SAFE_INTEGER };
  const count = estimateCall({ model: { ...limits, value, price: models.priceOf(value) }, sent, text: written });
  const reserved = await budgets.reservedFor(db, row.id);
  // The limit of the answer, which died with the process, was within what was reserved.
  return { ...count, costNanoUsd: count.costNanoUsd === null ? null : Math.min(count.costNanoUsd, reserved) };
}

/** Returns the frame of the run's prompt, unless it was changed meanwhile. */
async function frameOf(
  { installation, clock, toolbox }: RecoveryDeps,
  db: Queryable,
  chat: ChatRow | undefined,
  timeZone: string | undefined,
): Promise<PromptFrame> {
  if (!chat) return { system: "" };
  const { frame, toolGroups } = await framePrompt(db, chat, installation.current, { now: clock.now(), timeZone });
  const { tools } = await toolbox.toolsOf({ db, userId: chat.user_id }, toolGroups);
  return tools.length === 0 ? frame : framedWithTools(frame, tools.map(toOffered));
}

/** Estimates the tokens of what was sent to a model of a prompt; of the whole prompt if the model is unknown. */
function tokensOf(prompt: Prompt, model: PromptModel | undefined): PromptTokens {
  if (!model) return tokensOfPrompt(prompt);
  try {
    return tokensForModel(prompt, model);
  } catch {
    // The prompt was too long for this one of several candidates.
    return tokensOfPrompt(prompt);
  }
}
