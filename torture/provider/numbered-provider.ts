import { setImmediate } from "node:timers/promises";
import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import type { ProviderRequest } from "../../testing/provider/provider-request.ts";
import { ProviderServer } from "../../testing/provider/provider-server.ts";
import type { AnswerEncoder, PromptMessage, Wire } from "../../testing/provider/wire.ts";
import { type Misdeed, misdeeds } from "./misdeeds.ts";
import type { ProviderCall } from "./provider-call.ts";
import { lastQuestionIn, Question, type Round, type Script } from "./question.ts";

/** Pieces without a pause after which the script yields to the event loop. */
const YIELD_EACH = 50;
const TITLE_PACE_MS = 40;

/**
 * A provider that answers each {@link Question} by its script. If a prompt ends with the beginning of an answer, it
 * continues at exactly that position, and if it ends with the results of a round of calls, with the next round. It records every call and how far it answered.
 */
export class NumberedProvider extends ProviderServer {
  readonly calls: ProviderCall[] = [];
  readonly #questions = new Map<number, Question>();

  constructor() {
    super((request, answer) => this.#play(request, answer));
  }

  ask(script: Script): Question {
    const question = new Question(script);
    this.#questions.set(question.number, question);
    return question;
  }

  /** Returns the chat calls that asked a question, without those for its title. */
  callsFor(question: Question): ProviderCall[] {
    return this.calls.filter((call) => call.kind === "chat" && call.question === question);
  }

  async #play({ kind, messages, wire, signal }: ProviderRequest, answer: AnswerWriter): Promise<void> {
    const asked = messages.findLastIndex(
      ({ role, content }) => role === "user" && lastQuestionIn(content) !== undefined,
    );
    const question = this.#questions.get(lastQuestionIn(messages[asked]?.content ?? "") ?? -1);
    if (!question || !wire) {
      answer.respond(400);
      return;
    }
    const { round, from, results } = positionIn(question, messages.slice(asked + 1));
    const call: ProviderCall = {
      kind: kind === "title" ? "title" : "chat",
      question,
      startedAt: performance.now(),
      round,
      from,
      results,
      saidUpTo: Math.max(0, from),
      closedAt: undefined,
      isWhole: false,
    };
    signal.addEventListener("abort", () => {
      call.closedAt = performance.now();
    });
    this.calls.push(call);
    const reply = new NumberedReply(call, wire, answer);
    if (kind === "title") await reply.streamTitle();
    else await reply.play(question.script.misdeeds?.[this.callsFor(question).length - 1]);
  }
}

/** Returns how far an answer is in a prompt. @param messages those after its question */
function positionIn(
  question: Question,
  messages: readonly PromptMessage[],
): Pick<ProviderCall, "round" | "from" | "results"> {
  const said = [""];
  const results: string[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    if (role === "assistant") said.push((said.pop() ?? "") + content);
    if (role !== "tool") continue;
    results.push(content);
    if (messages[at + 1]?.role !== "tool") said.push("");
  }
  const round = said.length - 1;
  const rest = said.at(-1) ?? "";
  const { rounds } = question;
  const isKnown = said.every((text, at) =>
    at < round ? text === rounds[at]?.text : rounds[at]?.text.startsWith(text),
  );
  return { round, from: isKnown ? (rounds[round]?.from ?? 0) + rest.length : -1, results };
}

/** The answer to one call. Every method rejects when the client has disconnected. */
class NumberedReply {
  readonly #call: ProviderCall;
  readonly #wire: Wire;
  readonly #encoder: AnswerEncoder;
  readonly #answer: AnswerWriter;

  constructor(call: ProviderCall, wire: Wire, answer: AnswerWriter) {
    this.#call = call;
    this.#wire = wire;
    this.#encoder = wire.encodeAnswer("numbered");
    this.#answer = answer;
  }

  get #round(): Round {
    const { question, round } = this.#call;
    return question.rounds[round] ?? { from: 0, text: "", pieces: [], calls: [] };
  }

  async streamTitle(): Promise<void> {
    await this.#begin();
    for (const word of ["A ", "fitting ", "title"]) {
      await this.#answer.pause(TITLE_PACE_MS);
      await this.#answer.write(this.#encoder.text(word));
    }
    await this.#finish();
  }

  async play(misdeed: Misdeed | undefined): Promise<void> {
    const { answer, script } = this.#call.question;
    if (misdeed !== undefined) {
      const streamHalf = async () => {
        await this.#begin();
        await this.#stream(answer.length / 2);
      };
      await misdeeds[misdeed]({ answer: this.#answer, wire: this.#wire, encoder: this.#encoder, streamHalf });
      return;
    }
    await this.#begin();
    if (script.overlap && this.#call.from > 0) {
      const start = Math.max(0, this.#call.from - script.overlap);
      // Starts at a whole character: half a surrogate pair would be stored as U+FFFD.
      const again = answer.slice(start, this.#call.from).replace(/^[\uDC00-\uDFFF]/, "");
      await this.#answer.write(this.#encoder.text(again));
    }
    await this.#stream(answer.length);
    await this.#finish();
  }

  async #begin(): Promise<void> {
    this.#answer.begin();
    await this.#answer.write(this.#encoder.start());
  }

  /** Streams the answer from the call's position until it is at least `upTo` UTF-16 units long. */
  async #stream(upTo: number): Promise<void> {
    const { script } = this.#call.question;
    const { pieces, from } = this.#round;
    let end = from;
    let hasThought = false;
    for (const [index, piece] of pieces.entries()) {
      end += piece.length;
      if (end <= this.#call.saidUpTo) continue;
      if (this.#call.saidUpTo >= upTo) return;
      if (!hasThought || index === Math.floor(pieces.length / 2)) await this.#think();
      hasThought = true;
      const isPaced = script.paceMs > 0 && index < (script.floodsFrom ?? pieces.length);
      if (isPaced) await this.#answer.pause(script.paceMs);
      else if (index % YIELD_EACH === 0) await setImmediate();
      const rest = piece.slice(piece.length - (end - this.#call.saidUpTo));
      this.#call.saidUpTo = end;
      await this.#answer.write(this.#encoder.text(rest));
    }
  }

  async #think(): Promise<void> {
    const { thoughts, script } = this.#call.question;
    for (const thought of thoughts) {
      if (script.paceMs > 0) await this.#answer.pause(script.paceMs);
      await this.#answer.write(this.#encoder.reasoning(thought));
    }
  }

  async #finish(): Promise<void> {
    const { calls } = this.#round;
    const isTitle = this.#call.kind === "title";
    if (calls.length > 0 && !isTitle) await this.#answer.write(this.#encoder.calls(calls));
    const end = this.#encoder.finish(calls.length > 0 && !isTitle ? "calls" : "complete");
    await this.#answer.write(end + this.#encoder.endMark());
    this.#call.isWhole = true;
    this.#answer.end();
  }
}

export async function startNumberedProvider(): Promise<NumberedProvider> {
  const provider = new NumberedProvider();
  await provider.listen();
  return provider;
}
