import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import type { AnswerEncoder, Wire, WireFailure } from "../../testing/provider/wire.ts";

/** A call that a misdeed answers, and the tools to answer it. */
export type MisdeedReply = {
  answer: AnswerWriter;
  wire: Wire;
  encoder: AnswerEncoder;
  /** Starts the stream and writes about half of the answer. */
  streamHalf(): Promise<void>;
};

type Act = (reply: MisdeedReply) => Promise<void> | void;

const refusal =
  (failure: WireFailure, headers: Record<string, string> = {}): Act =>
  ({ answer, wire }) => {
    const { status, body } = wire.errorAnswer(failure);
    answer.respond(status, "application/json", body, headers);
  };

const MEGABYTE = 1 << 20;

/** Faults of a provider, by name. */
export const misdeeds = {
  "status 500": refusal("server"),
  "status 503": refusal("overloaded"),
  "status 429": refusal("rate-limited", { "retry-after": "1" }),
  "status 401": refusal("wrong-key"),
  "status 404": refusal("unknown-model"),
  silence: ({ answer }) => answer.untilClosed(),
  "HTML instead": ({ answer }) => answer.respond(200, "text/html", "<!doctype html><h1>Welcome to nginx!</h1>"),
  "empty answer": ({ answer }) => answer.respond(200, "text/event-stream"),
  "compressed answer": ({ answer }) =>
    answer.respond(200, "text/event-stream", Buffer.alloc(1000), { "content-encoding": "gzip" }),
  "silence in the middle": async ({ streamHalf, answer }) => {
    await streamHalf();
    await answer.untilClosed();
  },
  "reset in the middle": async ({ streamHalf, answer }) => {
    await streamHalf();
    answer.reset();
  },
  "half-closed in the middle": async ({ streamHalf, answer }) => {
    await streamHalf();
    answer.endHalf();
    await answer.untilClosed();
  },
  "end without a finish": async ({ streamHalf, answer }) => {
    await streamHalf();
    answer.end();
  },
  "error in the middle": async ({ streamHalf, answer, encoder }) => {
    await streamHalf();
    await answer.write(encoder.errorEvent("overloaded"));
    answer.end();
  },
  "broken JSON": async ({ streamHalf, answer }) => {
    await streamHalf();
    await answer.write('data: {"choices":[{"delta":{"conte\n\n');
    await answer.untilClosed();
  },
  "broken UTF-8": async ({ streamHalf, answer }) => {
    await streamHalf();
    const invalid = Buffer.from([0xff, 0xc3, 0x28, 0xf0]);
    await answer.write(Buffer.concat([Buffer.from("data: "), invalid, Buffer.from("\n\n")]));
    await answer.untilClosed();
  },
  "a line without end": async ({ streamHalf, answer }) => {
    await streamHalf();
    await answer.write("data: ");
    for (let count = 0; count < 10; count++) await answer.write(Buffer.alloc(MEGABYTE, "x"));
    await answer.untilClosed();
  },
} satisfies Record<string, Act>;

export type Misdeed = keyof typeof misdeeds;
