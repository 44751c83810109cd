import type { MeasuredProcess } from "../harness/measured-process.ts";
import type { MeasuredParley } from "../harness/parley.ts";
import { inWords, type Row } from "../results/row.ts";

/** Budget of one block of the event loop in ms. */
const ALLOWED_MS = 50;

/** An account of a measured server. */
export type Caller = {
  parley: MeasuredParley;
  token: string;
  /** Calls the API as the account. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
};

export function callerOf(parley: MeasuredParley, token: string): Caller {
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${parley.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { parley, token, call };
}

/** Reads a response to its end. @returns its status */
export async function send(calling: Promise<Response>): Promise<number> {
  const response = await calling;
  await response.text();
  return response.status;
}

/** Reads the event-loop delay that `report-loop-delay.mjs` measures in a server. */
export class LoopDelay {
  readonly #process: MeasuredProcess;
  #reads = 0;

  constructor(process: MeasuredProcess) {
    this.#process = process;
  }

  /**
   * Returns the longest event-loop delay since the last call, and the most processor time of one iteration of the loop.
   */
  async read(): Promise<{ delayMs: number; processorMs: number }> {
    this.#reads++;
    this.#process.signal("SIGUSR2");
    const line = await this.#process.said(new RegExp(`^loop delay ${this.#reads}: (.+)$`));
    const [delayMs = Number.NaN, processorMs = Number.NaN] = line.split(" ").map(Number);
    return { delayMs, processorMs };
  }
}

/** The longest block of the event loop during a call with one input. */
export type Measured = { call: string; input: string; delayMs: number; processorMs: number };

/**
 * Collects the longest block of each call; prints each that exceeds the budget.
 * @param inputs names the kind of the inputs in the rows
 */
export function longestOf(inputs: "texts" | "arrays") {
  const longest = new Map<string, Measured>();
  return {
    note(measured: Measured): void {
      const { call, input, delayMs, processorMs } = measured;
      if (delayMs > (longest.get(call)?.delayMs ?? 0)) longest.set(call, measured);
      if (delayMs > ALLOWED_MS)
        console.log(`${call}, ${input}: ${inWords(delayMs)} ms, processor ${inWords(processorMs)} ms`);
    },
    /** The yardstick is the main thread's processor time: on a busy machine the rest of a delay is due to others. */
    rows: (): Row[] => [...longest.values()].map((measured) => toRow(measured, inputs)),
  };
}

function toRow({ call, input, delayMs, processorMs }: Measured, inputs: string): Row {
  const yardstick = { name: `processor time (${input})`, value: processorMs };
  return { name: `${call}: longest of all ${inputs}`, value: delayMs, unit: "ms", yardstick, allowed: ALLOWED_MS };
}
