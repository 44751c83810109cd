import type { Wire, WireFailure } from "../../testing/scripted-provider-wire.ts";

/** What a misbehaving answer is made with. */
export type Misbehaving = {
  wire: Wire;
  /** Answers with a whole body. */
  respond(status: number, contentType: string, body: string | Buffer, headers?: Record<string, string>): void;
  /** Begins the stream and says about half of the answer. */
  sayHalf(): Promise<void>;
  write(part: string | Uint8Array): Promise<void>;
  end(): void;
  /** Breaks the connection by a reset. */
  reset(): void;
  /** Ends our half of the connection only. */
  endHalf(): void;
  untilLeft(): Promise<void>;
};

type Act = (answer: Misbehaving) => Promise<void> | void;

const refusal =
  (failure: WireFailure, headers: Record<string, string> = {}): Act =>
  ({ wire, respond }) => {
    const { status, body } = wire.errorAnswer(failure);
    respond(status, "application/json", body, headers);
  };

const MEGABYTE = 1 << 20;

/** What a provider may do instead of answering, by its name. */
export const misdeeds = {
  "status 500": refusal("server"),
  "status 503": refusal("overloaded"),
  "status 429": refusal("rate-limited", { "retry-after": "1" }),
  "status 401": refusal("wrong-key"),
  "status 404": refusal("unknown-model"),
  silence: ({ untilLeft }) => untilLeft(),
  "HTML instead": ({ respond }) => respond(200, "text/html", "<!doctype html><h1>Welcome to nginx!</h1>"),
  "empty answer": ({ respond }) => respond(200, "text/event-stream", ""),
  "compressed answer": ({ respond }) =>
    respond(200, "text/event-stream", Buffer.alloc(1000), { "content-encoding": "gzip" }),
  "silence in the middle": async ({ sayHalf, untilLeft }) => {
    await sayHalf();
    await untilLeft();
  },
  "reset in the middle": async ({ sayHalf, reset }) => {
    await sayHalf();
    reset();
  },
  "half-closed in the middle": async ({ sayHalf, endHalf, untilLeft }) => {
    await sayHalf();
    endHalf();
    await untilLeft();
  },
  "end without a finish": async ({ sayHalf, end }) => {
    await sayHalf();
    end();
  },
  "error in the middle": async ({ sayHalf, write, wire, end }) => {
    await sayHalf();
    await write(wire.errorEvent("overloaded"));
    end();
  },
  "broken JSON": async ({ sayHalf, write, untilLeft }) => {
    await sayHalf();
    await write('data: {"choices":[{"delta":{"conte\n\n');
    await untilLeft();
  },
  "broken UTF-8": async ({ sayHalf, write, untilLeft }) => {
    await sayHalf();
    await write(Buffer.concat([Buffer.from("data: "), Buffer.from([0xff, 0xc3, 0x28, 0xf0]), Buffer.from("\n\n")]));
    await untilLeft();
  },
  "a line without end": async ({ sayHalf, write, untilLeft }) => {
    await sayHalf();
    await write("data: ");
    for (let count = 0; count < 10; count++) await write(Buffer.alloc(MEGABYTE, "x"));
    await untilLeft();
  },
} satisfies Record<string, Act>;

export type Misdeed = keyof typeof misdeeds;
