import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import { anthropicWire, openAiWire, type Wire } from "../../testing/scripted-provider-wire.ts";
import { misdeeds } from "./misdeeds.ts";
import type { ProviderCall } from "./provider-call.ts";
import { lastQuestionIn, Question, type Script } from "./question.ts";

type PromptMessage = { role: string; content: string };

const BREATH_EACH = 50;
const TITLE_PACE_MS = 40;

/**
 * A provider on a real socket, in both wire formats, that answers each {@link Question} as its script says, goes on
 * exactly where a prompt ends with the beginning of an answer, and remembers what it was asked and what it said.
 */
export class NumberedProvider implements AsyncDisposable {
  readonly calls: ProviderCall[] = [];
  readonly #questions = new Map<number, Question>();
  readonly #server = createServer((request, response) => void this.#take(request, response));

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  ask(script: Script): Question {
    const question = new Question(script);
    this.#questions.set(question.number, question);
    return question;
  }

  /** The calls that one question has brought, titles apart. */
  callsFor(question: Question): ProviderCall[] {
    return this.calls.filter((call) => call.kind === "chat" && call.question === question);
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const isOpenAi = request.url?.endsWith("/chat/completions");
      await this.#answer(body, isOpenAi ? openAiWire : anthropicWire, response);
    } catch {
      // Whoever asked has gone; the call's record says so.
      response.destroy();
    }
  }

  async #answer(
    body: { system?: string; messages: PromptMessage[] },
    wire: Wire,
    response: ServerResponse,
  ): Promise<void> {
    const system = body.system ?? body.messages.find(({ role }) => role === "system")?.content ?? "";
    const kind = String(system).startsWith(TITLE_MARKER) ? "title" : "chat";
    const asked = body.messages.findLastIndex(
      ({ role, content }) => role === "user" && lastQuestionIn(content) !== undefined,
    );
    const question = this.#questions.get(lastQuestionIn(body.messages[asked]?.content ?? "") ?? -1);
    if (!question) {
      response.writeHead(400).end();
      return;
    }
    const said = body.messages.slice(asked + 1).find(({ role }) => role === "assistant")?.content ?? "";
    const from = question.answer.startsWith(said) ? said.length : -1;
    const call: ProviderCall = {
      kind,
      question,
      startedAt: performance.now(),
      from,
      saidUpTo: Math.max(0, from),
      closedAt: undefined,
      isWhole: false,
    };
    this.calls.push(call);
    const answer = new Answer(call, wire, response);
    if (kind === "title") await answer.sayTitle();
    else await answer.play(question.script.misdeeds?.[this.callsFor(question).length - 1]);
  }
}

/** One answer as it is being said; it stops by itself when the other side has gone. */
class Answer {
  readonly #call: ProviderCall;
  readonly #wire: Wire;
  readonly #response: ServerResponse;
  readonly #gone = new AbortController();

  constructor(call: ProviderCall, wire: Wire, response: ServerResponse) {
    this.#call = call;
    this.#wire = wire;
    this.#response = response;
    response.once("close", () => {
      call.closedAt = performance.now();
      this.#gone.abort();
    });
  }

  async sayTitle(): Promise<void> {
    this.#begin();
    for (const word of ["A ", "fitting ", "title"]) {
      await delay(TITLE_PACE_MS, undefined, { signal: this.#gone.signal });
      await this.#write(this.#wire.text(word));
    }
    await this.#finish();
  }

  async play(misdeed: keyof typeof misdeeds | undefined): Promise<void> {
    const { answer, script } = this.#call.question;
    if (misdeed === undefined) {
      this.#begin();
      if (script.overlap && this.#call.from > 0) {
        const again = answer.slice(Math.max(0, this.#call.from - script.overlap), this.#call.from);
        await this.#write(this.#wire.text(again));
      }
      await this.#say(answer.length);
      await this.#finish();
      return;
    }
    await misdeeds[misdeed]({
      wire: this.#wire,
      respond: (status, type, body, headers) =>
        void this.#response.writeHead(status, { "content-type": type, ...headers }).end(body),
      sayHalf: async () => {
        this.#begin();
        await this.#say(answer.length / 2);
      },
      write: (part) => this.#write(part),
      end: () => void this.#response.end(),
      reset: () => this.#response.socket?.resetAndDestroy(),
      endHalf: () => void this.#response.socket?.end(),
      untilLeft: () => this.#untilLeft(),
    });
  }

  #begin(): void {
    this.#response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    this.#response.write(this.#wire.start("numbered"));
  }

  /** Says the answer from where it stands, up to about a length. */
  async #say(upTo: number): Promise<void> {
    const { pieces, script } = this.#call.question;
    let end = 0;
    for (const [index, piece] of pieces.entries()) {
      end += piece.length;
      if (end <= this.#call.saidUpTo) continue;
      if (this.#call.saidUpTo >= upTo) return;
      const isPaced = script.paceMs > 0 && index < (script.floodsFrom ?? pieces.length);
      if (isPaced) await delay(script.paceMs, undefined, { signal: this.#gone.signal });
      else if (index % BREATH_EACH === 0) await setImmediate();
      const rest = piece.slice(piece.length - (end - this.#call.saidUpTo));
      this.#call.saidUpTo = end;
      await this.#write(this.#wire.text(rest));
    }
  }

  async #finish(): Promise<void> {
    await this.#write(this.#wire.finish("complete") + this.#wire.endMark());
    this.#call.isWhole = true;
    this.#response.end();
  }

  async #write(part: string | Uint8Array): Promise<void> {
    this.#gone.signal.throwIfAborted();
    if (this.#response.write(part)) return;
    await Promise.race([new Promise((resolve) => this.#response.once("drain", resolve)), this.#untilLeft()]);
  }

  #untilLeft(): Promise<void> {
    if (this.#gone.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.#gone.signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

export async function startNumberedProvider(): Promise<NumberedProvider> {
  const provider = new NumberedProvider();
  await provider.listen();
  return provider;
}
