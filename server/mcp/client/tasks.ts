import { setTimeout } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { MINUTE, SECOND } from "#contract/limits.ts";
import { field, isRecord, textField } from "../../text/wire-json.ts";
import { CallInterrupted } from "../../tools/call-interrupted.ts";
import type { ToolContext, ToolOutcome } from "../../tools/tool.ts";
import { ToolInputError } from "../../tools/tool-input-error.ts";
import type { StoredTool } from "../stored-tool.ts";
import { formatState, responsesOf, type TaskState, toForms, withoutFields } from "../wire/input-requests.ts";
import { toOutcome } from "../wire/tool-result.ts";
import { isAnswer, toErrorOutcome } from "./call-errors.ts";
import type { Connection } from "./connection.ts";
import { LostCallError } from "./lost-call-error.ts";

const [POLL_MIN, POLL_MAX, POLL_DEFAULT] = [SECOND / 2, 10 * SECOND, SECOND];
const CANCEL_MS = 5 * SECOND;
/** Requests about a task in sequence that have no answer, which takes a minute by the default interval. */
const FAILURES_MAX = 8;
/** How long a server stores a task of the revision 2025-11-25. */
const LIFE_MS = 30 * MINUTE;

/** Results are JSON from outside, which is read field by field. */
const anyResult = z.looseObject({});

/** Fields of a call of the revision 2025-11-25 that is to become a task; later ones leave that to the server. */
export const taskParameters = { task: { ttl: LIFE_MS } };

export function startsAsTask(client: Client, { task }: StoredTool): boolean {
  const tasks = client.getServerCapabilities()?.tasks;
  return task !== undefined && field(field(field(tasks, "requests"), "tools"), "call") !== undefined;
}

/** A task of a server, from when the server has named it. `failures`: requests without an answer since the last one. */
export type KnownTask = { state: TaskState; isStored: boolean; failures: number };

export const toTask = (task: unknown): KnownTask => ({
  state: { kind: "task", taskId: textField(task, "taskId"), ...pollOf(task) },
  isStored: false,
  failures: 0,
});

/** Returns the task with which a call continues. */
export const storedTask = (state: TaskState): KnownTask => ({ state, isStored: true, failures: 0 });

/**
 * Waits, longer with each failure, until a task that did not answer may be asked for again.
 * @throws LostCallError after too many failures; the signal's reason
 */
export async function awaitRetry(task: KnownTask, error: unknown, signal: AbortSignal): Promise<void> {
  if (++task.failures > FAILURES_MAX) throw new LostCallError(error);
  const delayMs = Math.min(intervalOf(task.state.pollMs) * 2 ** (task.failures - 1), POLL_MAX);
  await setTimeout(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * Stores a task, answers its question if the person has, and polls it until it ends or asks.
 * @throws ToolInputError; the signal's reason, after the task was cancelled; any other error says nothing of the task
 */
export async function followTask(connection: Connection, context: ToolContext, task: KnownTask): Promise<ToolOutcome> {
  const runner = new TaskRunner(connection, context, task);
  return runner.run(async () => {
    if (!task.isStored && context.watch && !(await context.watch.storeTask(formatState(task.state)))) {
      context.signal.throwIfAborted();
      throw new CallInterrupted();
    }
    task.isStored = true;
    const { forms, ...state } = task.state;
    // A question that was stored without answers is asked again.
    if (forms && context.resumption?.answers !== undefined) await runner.answer(forms);
    task.state = state;
    return runner.poll();
  });
}

class TaskRunner {
  readonly #connection: Connection;
  readonly #context: ToolContext;
  readonly #task: KnownTask;
  #pollMs: number | undefined;

  constructor(connection: Connection, context: ToolContext, task: KnownTask) {
    this.#connection = connection;
    this.#context = context;
    this.#task = task;
    this.#pollMs = task.state.pollMs;
  }

  /** Runs work on the task, which is cancelled if the signal ends it, unless another run continues the call. */
  async run(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    const { signal } = this.#context;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof CallInterrupted)) await this.#cancel();
      signal.throwIfAborted();
      throw error;
    }
  }

  async answer(forms: NonNullable<TaskState["forms"]>): Promise<void> {
    const inputResponses = responsesOf(forms, this.#context.resumption?.answers);
    await this.#request("tasks/update", { inputResponses });
  }

  async poll(): Promise<ToolOutcome> {
    const { signal } = this.#context;
    for (;;) {
      await setTimeout(intervalOf(this.#pollMs), undefined, { signal });
      const task = await this.#request("tasks/get");
      this.#task.failures = 0;
      const outcome = await this.#outcomeOf(task);
      if (outcome) return outcome;
      this.#pollMs = pollOf(task).pollMs ?? this.#pollMs;
    }
  }

  /** Returns what a task has ended with, or asks; undefined while it works. */
  async #outcomeOf(task: unknown): Promise<ToolOutcome | undefined> {
    const { isModern } = this.#connection;
    switch (textField(task, "status")) {
      case "completed":
        return isModern ? toOutcome(field(task, "result")) : this.#result();
      case "failed":
        return failureOf(task);
      case "cancelled":
        throw new ToolInputError("The server has cancelled the call.");
      case "input_required":
        // Of the revision 2025-11-25, the server asks by `elicitation/create` while its result is awaited.
        return isModern ? this.#toQuestion(task) : this.#result();
      case "working":
        return undefined;
      default:
        throw new ToolInputError("The server does not know the state of the call.");
    }
  }

  /** Returns the result of a task of the revision 2025-11-25. An error is the result of a call that has failed. */
  async #result(): Promise<ToolOutcome> {
    try {
      return toOutcome(await this.#request("tasks/result"));
    } catch (error) {
      const { sdk } = this.#connection;
      if (isAnswer(error, sdk)) return toErrorOutcome(error, sdk);
      throw error;
    }
  }

  #toQuestion(task: unknown): ToolOutcome {
    const forms = toForms(field(task, "inputRequests"));
    if (forms.length === 0) throw new ToolInputError("The server asked for nothing.");
    const state: TaskState = {
      kind: "task",
      taskId: this.#task.state.taskId,
      ...pollOf(task),
      forms: forms.map(withoutFields),
    };
    return { text: "", question: { forms, state: formatState(state) } };
  }

  /** Requests the end of the task. Never throws. */
  async #cancel(): Promise<void> {
    const options = { timeout: CANCEL_MS };
    const { client } = this.#connection;
    const request = { method: "tasks/cancel", params: { taskId: this.#task.state.taskId } };
    await client.request(request, anyResult, options).catch(() => undefined);
  }

  async #request(method: string, more: Record<string, unknown> = {}): Promise<unknown> {
    const { signal } = this.#context;
    const params = { taskId: this.#task.state.taskId, ...more };
    return this.#connection.client.request({ method, params }, anyResult, { signal, timeout: LIFE_MS });
  }
}

const intervalOf = (pollMs = POLL_DEFAULT): number => Math.min(Math.max(pollMs, POLL_MIN), POLL_MAX);

/** Returns the interval at which a server wants to be polled. */
function pollOf(task: unknown): { pollMs?: number } {
  const given = field(task, "pollIntervalMs") ?? field(task, "pollInterval");
  return typeof given === "number" && Number.isFinite(given) ? { pollMs: given } : {};
}

function failureOf(task: unknown): ToolOutcome {
  const result = field(task, "result");
  if (isRecord(result)) return { ...toOutcome(result), isError: true };
  const message = textField(field(task, "error"), "message") || textField(task, "statusMessage");
  return { text: `The call failed on the server. ${message}`.trim(), isError: true };
}
