import { Counter, Histogram, type Registry } from "prom-client";
import { SECOND } from "#contract/limits.ts";
import { type Model, type ModelSink, type Prompt, withStream, withText } from "../../models/model.ts";
import { ModelError } from "../../models/model-error.ts";

const FIRST_TEXT_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60];
const PIECE_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

type Totals = { pieces: number; characters: number };

/**
 * Measures calls to providers by model. A piece of text costs two additions and one reading of the clock; everything
 * else is done once per call.
 */
export class ModelMetrics {
  readonly #totals = new Map<string, Totals>();
  readonly #calls: Counter;
  readonly #errors: Counter;
  readonly #firstText: Histogram;
  readonly #perPiece: Histogram;

  constructor(registry: Registry) {
    const common = { labelNames: ["model"], registers: [registry] };
    this.#countTexts("parley_model_characters_total", "Characters that models have written (UTF-16 units)", {
      ...common,
      of: ({ characters }) => characters,
    });
    this.#countTexts("parley_model_words_total", "Pieces of text as models sent them, about a word each", {
      ...common,
      of: ({ pieces }) => pieces,
    });
    this.#calls = new Counter({
      name: "parley_model_calls_total",
      help: "Calls to providers that have ended: complete, length, refused, failed, or aborted by Stop or a shutdown",
      labelNames: ["model", "outcome"],
      registers: [registry],
    });
    this.#errors = new Counter({
      name: "parley_model_errors_total",
      help: "Failed calls to providers by what went wrong",
      labelNames: ["model", "code"],
      registers: [registry],
    });
    this.#firstText = new Histogram({
      ...common,
      name: "parley_model_first_text_seconds",
      help: "Time from a call to its first text",
      buckets: FIRST_TEXT_SECONDS,
    });
    this.#perPiece = new Histogram({
      ...common,
      name: "parley_model_time_per_word_seconds",
      help: "Mean time between two pieces of text of one call",
      buckets: PIECE_SECONDS,
    });
  }

  watch(model: Model, label: string): Model {
    const stream = async (prompt: Prompt, sink: ModelSink, signal: AbortSignal) => {
      const call = new MeasuredCall(this.#totalsOf(label));
      const onText = (text: string) => {
        call.note(text);
        sink.onText(text);
      };
      let outcome = "failed";
      try {
        const end = await model.stream(prompt, withText(sink, onText), signal);
        outcome = end.reason;
        return end;
      } catch (error) {
        if (error instanceof ModelError) this.#errors.inc({ model: label, code: error.code });
        else if (signal.aborted) outcome = "aborted";
        throw error;
      } finally {
        this.#calls.inc({ model: label, outcome });
        if (call.firstTextMs !== undefined) this.#firstText.observe({ model: label }, call.firstTextMs / SECOND);
        if (call.msPerPiece !== undefined) this.#perPiece.observe({ model: label }, call.msPerPiece / SECOND);
      }
    };
    return withStream(model, stream);
  }

  #totalsOf(label: string): Totals {
    const totals = this.#totals.get(label) ?? { pieces: 0, characters: 0 };
    this.#totals.set(label, totals);
    return totals;
  }

  #countTexts(
    name: string,
    help: string,
    { of, ...common }: { labelNames: string[]; registers: Registry[]; of: (totals: Totals) => number },
  ): void {
    const counter: Counter = new Counter({
      name,
      help,
      ...common,
      collect: () => {
        counter.reset();
        for (const [model, totals] of this.#totals) counter.inc({ model }, of(totals));
      },
    });
  }
}

class MeasuredCall {
  readonly #totals: Totals;
  readonly #begunAt = performance.now();
  #firstAt: number | undefined;
  #lastAt = 0;
  #pieces = 0;

  constructor(totals: Totals) {
    this.#totals = totals;
  }

  note(text: string): void {
    this.#lastAt = performance.now();
    this.#firstAt ??= this.#lastAt;
    this.#pieces++;
    this.#totals.pieces++;
    this.#totals.characters += text.length;
  }

  get firstTextMs(): number | undefined {
    return this.#firstAt === undefined ? undefined : this.#firstAt - this.#begunAt;
  }

  get msPerPiece(): number | undefined {
    if (this.#firstAt === undefined || this.#pieces < 2) return undefined;
    return (this.#lastAt - this.#firstAt) / (this.#pieces - 1);
  }
}
