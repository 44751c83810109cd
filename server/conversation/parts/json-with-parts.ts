import type { MessagePart } from "#contract/conversation/parts.ts";

/** Parts whose JSON is made at a time: some microseconds each, and at most 16 MB together, the size of a chat. */
const PARTS_AT_ONCE = 50;
/** UTF-16 units of a part's text that count as a further part. */
const CHARS_OF_A_PART = 10_000;

/**
 * Yields the JSON of a message in pieces. A thousand parts take 5 ms, and may have 8 MB of text.
 * @param step yields to the event loop, called between two pieces
 */
export async function* jsonWithParts<T extends { parts?: readonly MessagePart[] | undefined }>(
  { parts = [], ...message }: T,
  step: () => Promise<void>,
): AsyncGenerator<string, void> {
  const head = JSON.stringify(message);
  if (parts.length === 0) {
    yield head;
    return;
  }
  let piece = `${head.slice(0, -1)},"parts":[`;
  let cost = 0;
  for (const [at, part] of parts.entries()) {
    const json = JSON.stringify(part);
    piece += at === 0 ? json : `,${json}`;
    cost += 1 + json.length / CHARS_OF_A_PART;
    if (cost < PARTS_AT_ONCE) continue;
    yield piece;
    await step();
    piece = "";
    cost = 0;
  }
  yield `${piece}]}`;
}
