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
import type { Connection } from "./connection.ts";

const [POLL_MIN, POLL_MAX, POLL_DEFAULT] = [SECOND / 2, 10 * SECOND, SECOND];
const CANCEL_MS = 5 * SECOND;
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

/**
 * Stores a task that a call became, and polls it until it ends or asks.
 * @throws ToolInputError; the signal's reason, after the task was cancelled
 */
export async function startTask(connection: Connection, context: ToolContext, task: unknown): Promise<ToolOutcome> {
  const state: TaskState = { kind: "task", taskId: textField(task, "taskId"), ...pollOf(task) };
  const runner = new TaskRunner(connection, context, state);
  return runner.run(async () => {
    if (context.watch && !(await context.watch.storeTask(formatState(state)))) {
      context.signal.throwIfAborted();
      throw new Error("Another process has the call");
    }
    return runner.poll();
  });
}

/** Continues a task that was stored, with the answers to its question. @throws as {@link startTask} */
export async function resumeTask(connection: Connection, context: ToolContext, state: TaskState): Promise<ToolOutcome> {
  const runner = new TaskRunner(connection, context, state);
  return runner.run(async () => {
    if (state.forms) await runner.answer(state.forms);
    return runner.poll();
  });
}

class TaskRunner {
  readonly #connection: Connection;
  readonly #context: ToolContext;
  readonly #taskId: string;
  #pollMs: number;

  constructor(connection: Connection, context: ToolContext, { taskId, pollMs = POLL_DEFAULT }: TaskState) {
    this.#connection = connection;
    this.#context = context;
    this.#taskId = taskId;
    this.#pollMs = pollMs;
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
      await setTimeout(Math.min(Math.max(this.#pollMs, POLL_MIN), POLL_MAX), undefined, { signal });
      const task = await this.#request("tasks/get");
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
        return toOutcome(isModern ? field(task, "result") : await this.#request("tasks/result"));
      case "failed":
        return failureOf(task);
      case "cancelled":
        throw new ToolInputError("The server has cancelled the call.");
      case "input_required":
        // Of the revision 2025-11-25, the server asks by `elicitation/create` while its result is awaited.
        return isModern ? this.#toQuestion(task) : toOutcome(await this.#request("tasks/result"));
      case "working":
        return undefined;
      default:
        throw new ToolInputError("The server does not know the state of the call.");
    }
  }

  #toQuestion(task: unknown): ToolOutcome {
    const forms = toForms(field(task, "inputRequests"));
    if (forms.length === 0) throw new ToolInputError("The server asked for nothing.");
    const state: TaskState = { kind: "task", taskId: this.#taskId, ...pollOf(task), forms: forms.map(withoutFields) };
    return { text: "", question: { forms, state: formatState(state) } };
  }

  /** Requests the end of the task. Never throws. */
  async #cancel(): Promise<void> {
    const options = { timeout: CANCEL_MS };
    const { client } = this.#connection;
    const request = { method: "tasks/cancel", params: { taskId: this.#taskId } };
    await client.request(request, anyResult, options).catch(() => undefined);
  }

  async #request(method: string, more: Record<string, unknown> = {}): Promise<unknown> {
    const { signal } = this.#context;
    const params = { taskId: this.#taskId, ...more };
    return this.#connection.client.request({ method, params }, anyResult, { signal, timeout: LIFE_MS });
  }
}

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
