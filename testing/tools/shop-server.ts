import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "../app/wait-for.ts";

/**
 * One execution of a tool. `item`: of its arguments. `caller`: the path of its URL before the tool. `at`: time of its
 * arrival by `performance.now()`.
 */
export type Execution = { tool: string; item: string; caller: string; at: number };

/** The answer to one execution that is held. */
type HeldExecution = { tool: string; item: string; response: ServerResponse };

/**
 * A server on which tools of {@link remoteShop} act. It appends each execution to a file, which is durable before the
 * answer, so that nothing that a killed client has done is lost.
 */
export class ShopServer implements AsyncDisposable {
  /** Whether the answer to an execution waits for {@link release}. */
  isHeld: (execution: Execution) => boolean = () => false;
  /** Time from an execution to its answer, in ms. */
  delayMs: () => number = () => 0;
  readonly #folder: string;
  readonly #file: string;
  readonly #log: number;
  readonly #held: HeldExecution[] = [];
  readonly #server = createServer(async (request, response) => {
    const { item = "" } = JSON.parse(await readText(request)) as { item?: string };
    const [, caller = "", tool = ""] = /^\/(?:(.*)\/)?(.*)$/.exec(request.url ?? "") ?? [];
    await this.#execute({ tool, item, caller, at: performance.now() }, response);
  });

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, "executions.jsonl");
    this.#log = openSync(this.#file, "a");
  }

  static async start(): Promise<ShopServer> {
    const shop = new ShopServer(await mkdtemp(join(tmpdir(), "parley-shop-")));
    await new Promise<void>((resolve) => shop.#server.listen(0, "127.0.0.1", resolve));
    return shop;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All executions in the order of arrival, as the file has them. */
  get executions(): Execution[] {
    const lines = readFileSync(this.#file, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Execution);
  }

  /** Returns how often tools were executed for an item. */
  countOf(item: string): number {
    return this.executions.filter((execution) => execution.item === item).length;
  }

  /** Waits until tools were executed so often for an item. */
  async executed(item: string, times = 1): Promise<void> {
    await waitFor(`execution ${times} for ${item}`, () => this.countOf(item) >= times);
  }

  /** Answers the executions that are held, those of closed connections too. */
  release(): void {
    for (const { tool, item, response } of this.#held.splice(0)) answer(response, resultOf({ tool, item }));
  }

  /** Answers at once again. */
  reset(): void {
    this.isHeld = () => false;
    this.delayMs = () => 0;
    this.release();
  }

  async #execute(execution: Execution, response: ServerResponse): Promise<void> {
    writeSync(this.#log, `${JSON.stringify(execution)}\n`);
    fsyncSync(this.#log);
    response.on("error", () => undefined);
    if (this.isHeld(execution)) {
      this.#held.push({ ...execution, response });
      return;
    }
    const ms = this.delayMs();
    if (ms > 0) await delay(ms);
    answer(response, resultOf(execution));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    closeSync(this.#log);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The text with which the server answers an execution. */
export const resultOf = ({ tool, item }: Pick<Execution, "tool" | "item">): string => `${tool} of ${item}: done.`;

function answer(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(text);
}
