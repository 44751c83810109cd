import { MINUTE } from "#contract/limits.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionOwner, PoolDeps } from "./pool-deps.ts";

/** Starts of a program in {@link START_PERIOD_MS}. */
const STARTS_MAX = 5;
const START_PERIOD_MS = MINUTE;

/** Programs beside Parley. One process serves the calls of all accounts, and is started again after it has ended. */
export class ProgramPool implements AsyncDisposable {
  readonly #open: PoolDeps["open"];
  readonly #programs = new Map<string, Program>();
  readonly #starts = new Map<string, number[]>();
  #isClosed = false;

  constructor({ open }: Pick<PoolDeps, "open">) {
    this.#open = open;
  }

  /** @throws what opening does; Error if the program was started too often; the signal's reason */
  async acquire(owner: ConnectionOwner, signal: AbortSignal): Promise<Connection> {
    const { key } = owner.server;
    const running = this.#programs.get(key);
    const program = running && !running.hasEnded ? running : this.#start(owner);
    return raceWithSignal(program.opening, signal);
  }

  async close(key: string): Promise<void> {
    const program = this.#programs.get(key);
    this.#programs.delete(key);
    await program?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#programs.keys()].map((key) => this.close(key)));
  }

  #start(owner: ConnectionOwner): Program {
    const { key } = owner.server;
    const now = performance.now();
    const starts = (this.#starts.get(key) ?? []).filter((at) => now - at < START_PERIOD_MS);
    if (this.#isClosed || starts.length >= STARTS_MAX) throw new Error("The program ends too often");
    this.#starts.set(key, [...starts, now]);
    const program = new Program((signal) => this.#open(owner, signal));
    this.#programs.set(key, program);
    return program;
  }
}

/** A process, whose start does not end with the call that needed it first: others wait for it too. */
class Program {
  readonly opening: Promise<Connection>;
  readonly #controller = new AbortController();
  #connection: Connection | undefined;
  #hasFailed = false;

  constructor(open: (signal: AbortSignal) => Promise<Connection>) {
    this.opening = open(this.#controller.signal);
    this.opening.then(
      (connection) => {
        this.#connection = connection;
      },
      () => {
        this.#hasFailed = true;
      },
    );
  }

  get hasEnded(): boolean {
    return this.#hasFailed || this.#connection?.isClosed === true;
  }

  async close(): Promise<void> {
    this.#controller.abort(new Error("The program is closed"));
    const connection = await this.opening.catch(() => undefined);
    await connection?.close();
  }
}

async function raceWithSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
