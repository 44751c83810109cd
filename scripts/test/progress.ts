import process from "node:process";

const REDRAW_MS = 1000;
const CLEAR_LINE = "\r\u001b[K";

/** Prints lines and, on a terminal, the running stages with their seconds in the last line. */
export class Progress {
  readonly #startedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  begin(stage: string): void {
    this.#startedAt.set(stage, performance.now());
    if (process.stdout.isTTY) this.#timer ??= setInterval(() => this.#draw(), REDRAW_MS).unref();
    this.#draw();
  }

  end(stage: string): void {
    this.#startedAt.delete(stage);
    if (this.#startedAt.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  say(line: string): void {
    process.stdout.write(`${process.stdout.isTTY ? CLEAR_LINE : ""}${line}\n`);
    this.#draw();
  }

  #draw(): void {
    if (!process.stdout.isTTY) return;
    const running = [...this.#startedAt].map(([stage, startedAt]) => {
      return `${stage} (${Math.round((performance.now() - startedAt) / 1000)} s)`;
    });
    process.stdout.write(`${CLEAR_LINE}${running.join(", ")}`);
  }
}
