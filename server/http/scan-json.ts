/** UTF-16 units between two yields to the event loop. */
export const STEP = 128 * 1024;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Receives the structural characters of a JSON text with their indexes. Each returns whether it has done so much work
 * that the scan yields.
 */
export interface JsonVisitor {
  open(at: number, isArray: boolean): boolean;
  close(at: number, isArray: boolean): boolean;
  comma(at: number): boolean;
  colon(at: number): boolean;
}

/** Scans a text in steps. Does not check whether it is valid JSON. @yields after each step */
export function* scanJson(text: string, visitor: JsonVisitor): Generator<undefined> {
  let stepEnd = STEP;
  for (let at = 0; at < text.length; at++) {
    if (at >= stepEnd) {
      yield;
      stepEnd = at + STEP;
    }
    const unit = text.charCodeAt(at);
    let isStepOver = false;
    if (unit === QUOTE) at = yield* endOfString(text, at);
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) isStepOver = visitor.open(at, unit === OPEN_BRACKET);
    else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) isStepOver = visitor.close(at, unit === CLOSE_BRACKET);
    else if (unit === COMMA) isStepOver = visitor.comma(at);
    else if (unit === COLON) isStepOver = visitor.colon(at);
    if (isStepOver) yield;
  }
}

/**
 * Returns the index of the closing quote of the string that begins at `start`, or the length of the text.
 * @yields after each step
 */
function* endOfString(text: string, start: number): Generator<undefined, number> {
  let stepEnd = start + STEP;
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (end >= stepEnd) {
      yield;
      stepEnd = end + STEP;
    }
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
