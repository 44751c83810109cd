import type { TemporaryMessage, TemporaryRequest } from "#contract/conversation/temporary.ts";
import { nativeKindsOf } from "#contract/files/file-readers.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import type { Settlements } from "../../budgets/settlements.ts";
import { newId } from "../../database/new-id.ts";
import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { readModelAccess } from "../../groups/read-model-access.ts";
import type { Model, PromptMessage } from "../../models/model.ts";
import type { Models } from "../../models/open-models.ts";
import { filesOf, promptMessage, textOf } from "../../models/prompt-message.ts";
import { storedToolGroups } from "../../presets/tool-groups.ts";
import type { Asker } from "../admission/asker.ts";
import { candidatesOf } from "../admission/candidates.ts";
import { refuseTooManyReplies } from "../admission/concurrent-limit.ts";
import { countAgainstLimit } from "../admission/daily-limit.ts";
import { type PrepareReplyDeps, prepareReply, type ReplyToPrepare } from "../prepare-reply.ts";
import { GrowingReply } from "../reply/live-reply.ts";
import { ReplyRuns, type ReplyRunsDeps, type ReplyWork } from "../reply/reply-runs.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

export type TemporaryRepliesDeps = ReplyRunsDeps &
  PrepareReplyDeps & {
    database: Database;
    settlements: Settlements;
    models: Models;
    settings: { maxMessageChars: number };
  };

const PURPOSE = { purpose: "temporary", messageId: null } as const;

/**
 * Replies whose text and files are never stored or logged; only their calls are counted. Each ends at the latest with the request
 * that started it.
 */
export class TemporaryReplies implements AsyncDisposable {
  readonly #deps: TemporaryRepliesDeps;
  readonly #runs: ReplyRuns;
  readonly #running = new Set<GrowingReply>();

  constructor(deps: TemporaryRepliesDeps) {
    this.#deps = deps;
    this.#runs = new ReplyRuns(deps);
  }

  /** Number of an account's running replies in this process. */
  countOf(userId: string): number {
    return [...this.#running].filter((reply) => reply.userId === userId).length;
  }

  /**
   * Refuses what {@link begin} would refuse, before the files of a request are read, which may take long.
   * @throws as {@link begin}
   */
  async check(asker: Asker, { messages, model }: TemporaryRequest): Promise<void> {
    const { database, models } = this.#deps;
    if (this.#runs.isDraining) throw new Failure("draining");
    this.#checkLengths(messages);
    await models.choose(model, await readModelAccess(database, asker));
    const { userId } = asker;
    await refuseTooManyReplies(database, userId, this.countOf(userId) + 1);
  }

  /**
   * Starts the reply to a conversation's last question. The caller stops it when its reader disconnects.
   * @param files of the messages; each that they name
   * @throws Failure of the model, the limits, or `message-too-long`, `budget-reached`, `draining`
   */
  async begin(asker: Asker, request: TemporaryRequest, files: TemporaryFiles): Promise<GrowingReply> {
    const { database, models } = this.#deps;
    const { userId, groupId, timeZone } = asker;
    const { messages, model } = request;
    this.#checkLengths(messages);
    const access = await readModelAccess(database, asker);
    const choice = await models.choose(model, access);
    const reply = new GrowingReply({ id: newId(), userId, run: 1 });
    const asked = joinQuestions(messages.map((message) => toPromptMessage(message, files)));
    const question = asked.at(-1);
    const chosen = candidatesOf(choice, { kinds: nativeKindsOf(question ? filesOf(question) : []) });
    const [candidate] = chosen.candidates;
    const called = groupsCalled(messages);
    const toAdmit = { messages: asked, model: candidate, called, groupId, timeZone };
    const admitted = await this.#admit(reply, request, toAdmit);
    this.#runs.add(this.#write(reply, { ...admitted, ...chosen }));
    return reply;
  }

  /** Applies the limits and counts the reply as running. @returns its prompt and its money */
  async #admit(
    reply: GrowingReply,
    { presetId = null, instructions = "", effort, tools }: TemporaryRequest,
    asked: Pick<ReplyToPrepare, "messages" | "called" | "timeZone"> & {
      model: Model | undefined;
      groupId: string | null;
    },
  ): Promise<Pick<ReplyWork, "prompt" | "spending" | "tools">> {
    const { database, clock, installation } = this.#deps;
    const { userId } = reply;
    const admitted = database.transaction().execute(async (db) => {
      await countAgainstLimit(db, userId, clock.now(), installation.current.dailyReplies);
      await refuseTooManyReplies(db, userId, this.countOf(userId) + 1);
      const guided = {
        user_id: userId,
        preset_id: presetId,
        instructions,
        effort: effort ?? null,
        tools: storedToolGroups(tools),
      };
      const purpose = { ...PURPOSE, userId };
      // The account may have been moved while its files arrived, so that it may not use the model any more.
      const prepared = await prepareReply(db, this.#deps, { ...asked, chatId: null, guided, purpose });
      if (this.#runs.isDraining) throw new Failure("draining");
      // Before the lock of the daily count is released: the next request that waits for it counts this reply too.
      this.#running.add(reply);
      return prepared;
    });
    return admitted.catch((error: unknown) => {
      this.#running.delete(reply);
      throw error;
    });
  }

  async #write(reply: GrowingReply, work: ReplyWork): Promise<void> {
    const { log, settlements } = this.#deps;
    const { abandoned } = this.#runs;
    if (abandoned.aborted) reply.stop();
    const produced = await this.#runs.produce(reply, work);
    this.#running.delete(reply);
    reply.closeText();
    log.info({ reply: reply.id, state: produced.state, code: produced.code }, "temporary reply ended");
    // A reply that a shutdown cuts off gets no end mark, so that its reader knows that it is incomplete.
    if (abandoned.aborted && produced.state === "stopped") reply.breakOff();
    else reply.finish(produced);
    await settlements.settle(work.spending, { subject: { reply: reply.id }, signal: abandoned });
  }

  #checkLengths(messages: readonly TemporaryMessage[]): void {
    const { maxMessageChars } = this.#deps.settings;
    const isTooLong = ({ role, content }: TemporaryMessage) => role === "user" && content.length > maxMessageChars;
    if (messages.some(isTooLong)) throw new Failure("message-too-long");
  }

  /** Refuses new replies, waits for running ones up to the grace period, then disconnects their readers. */
  async drain(): Promise<void> {
    await this.#runs.drain(() => {
      for (const reply of this.#running) reply.stop();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }
}

function toPromptMessage({ role, content, files = [] }: TemporaryMessage, all: TemporaryFiles): PromptMessage {
  const named = files.flatMap(({ id }) => all.get(id) ?? []);
  return promptMessage(role, wellFormed(content), named);
}

/** Returns the groups whose tools the answers have called; undefined if one of them does not say. */
function groupsCalled(messages: readonly TemporaryMessage[]): string[] | undefined {
  const ofAnswers = messages.filter(({ role }) => role === "assistant").map(({ called }) => called);
  return ofAnswers.includes(undefined) ? undefined : ofAnswers.flatMap((groups = []) => groups);
}

/** Joins questions without an answer between them, because providers accept only messages that alternate. */
function joinQuestions(messages: readonly PromptMessage[]): PromptMessage[] {
  const joined: PromptMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else joined.splice(-1, 1, joinMessages(last, message));
  }
  return joined;
}

function joinMessages(first: PromptMessage, next: PromptMessage): PromptMessage {
  const texts = [textOf(first), textOf(next)].filter((text) => text.trim() !== "");
  return promptMessage(first.role, texts.join("\n\n"), [...filesOf(first), ...filesOf(next)]);
}
