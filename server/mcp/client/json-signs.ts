import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";

/** Of one message: `JSON.parse` takes some 30 ms for so many, and holds the event loop. */
const SIGNS_MAX = 300_000;

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, LINE_FEED, CARRIAGE_RETURN] = [...'"\\,[{\n\r'].map((sign) =>
  sign.charCodeAt(0),
);

/** Counts the signs of JSON that begin or separate values, as its pieces arrive. */
export class JsonSigns {
  readonly #isStream: boolean;
  #count = 0;
  #isInText = false;
  #isEscaped = false;
  #isBlankLine = false;

  /** @param isStream whether a blank line ends a message, as in `text/event-stream` */
  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** @throws OutboundRefusal `too-large` for a message with too many */
  add(piece: Uint8Array): void {
    for (const sign of piece) this.#addSign(sign);
    if (this.#count > SIGNS_MAX) throw new OutboundRefusal("too-large");
  }

  #addSign(sign: number): void {
    // Lines may end with both.
    if (sign === CARRIAGE_RETURN) return;
    if (sign === LINE_FEED) {
      // No text of JSON has one.
      this.#isInText = false;
      if (this.#isStream && this.#isBlankLine) this.#count = 0;
      this.#isBlankLine = true;
      return;
    }
    this.#isBlankLine = false;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === QUOTE) this.#isInText = !this.#isInText;
    else if (this.#isInText) this.#isEscaped = sign === BACKSLASH;
    else if (sign === COMMA || sign === BRACKET || sign === BRACE) this.#count++;
  }
}

/** Returns a response whose body fails once a message has too many signs. */
export function withBoundedJson(response: Response): Response {
  const { body, status, headers } = response;
  if (!body) return response;
  const signs = new JsonSigns(headers.get("content-type")?.startsWith("text/event-stream") === true);
  const bounded = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      signs.add(piece);
      controller.enqueue(piece);
    },
  });
  return new Response(body.pipeThrough(bounded), { status, headers });
}
