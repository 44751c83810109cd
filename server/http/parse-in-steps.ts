import { setImmediate } from "node:timers/promises";
import { type JsonVisitor, scanJson } from "./scan-json.ts";

/** UTF-16 units of an array's elements that are parsed at a time: some 5,000 objects, which take a few ms. */
const CHUNK = 64 * 1024;

const BLANK = /^[ \t\n\r]*$/;
const COMMA_AT_END = /,[ \t\n\r]*$/;

/** Parses a JSON text. @throws for an invalid one */
export type ParseJson = (text: string) => unknown;

/** An open array or object. `from`: where its text begins that is not parsed yet. */
type Frame = {
  isArray: boolean;
  start: number;
  from: number;
  /** Its parsed elements or fields; undefined while all of it is text. */
  elements: unknown[] | undefined;
  fields: Record<string, unknown> | undefined;
  /** Whether `from` is the end of an element or field that was parsed by itself. */
  isAfterChild: boolean;
};

/**
 * Parses a long JSON text like `JSON.parse`, and yields to the event loop between the chunks of its arrays: 16 MB of
 * small objects take 100 to 400 ms at once.
 * @param parse parses chunks, each a valid JSON text if the whole is
 */
export async function parseInSteps(text: string, parse: ParseJson): Promise<unknown> {
  const steps = parsingSteps(text, parse);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await setImmediate();
  }
}

/** {@link parseInSteps}. @yields after each step */
export function* parsingSteps(text: string, parse: ParseJson, chunk = CHUNK): Generator<undefined, unknown> {
  const parser = new Parser(text, parse, chunk);
  yield* scanJson(text, parser);
  return parser.end();
}

class Parser implements JsonVisitor {
  readonly #text: string;
  readonly #parse: ParseJson;
  readonly #chunk: number;
  readonly #frames: Frame[] = [];
  /** Stands for a field's value that was parsed by itself. No text contains it. */
  readonly #mark = crypto.randomUUID();
  /** The whole value, if it was parsed in chunks, and where it ends. */
  #root: { value: unknown; end: number } | undefined;

  constructor(text: string, parse: ParseJson, chunk: number) {
    this.#text = text;
    this.#parse = parse;
    this.#chunk = chunk;
  }

  open(start: number, isArray: boolean): boolean {
    this.#frames.push({
      isArray,
      start,
      from: start + 1,
      elements: undefined,
      fields: undefined,
      isAfterChild: false,
    });
    return false;
  }

  colon(): boolean {
    return false;
  }

  /** @returns whether a chunk was parsed */
  comma(at: number): boolean {
    const frame = this.#frames.at(-1);
    if (!frame) return false;
    if (frame.isAfterChild) {
      this.#expectBlank(frame.from, at);
      frame.isAfterChild = false;
      frame.from = at + 1;
    } else if (frame.isArray && at - frame.from >= this.#chunk) {
      this.#addElements(frame, this.#text.slice(frame.from, at));
      frame.from = at + 1;
      return true;
    }
    return false;
  }

  /** @returns whether a chunk was parsed */
  close(at: number, isArray: boolean): boolean {
    const frame = this.#frames.pop();
    if (frame?.isArray !== isArray) throw this.#refusal();
    // Its text is parsed with what is around it.
    if (!frame.elements && !frame.fields) return false;
    if (frame.isAfterChild) this.#expectBlank(frame.from, at);
    else if (isArray) this.#addElements(frame, this.#text.slice(frame.from, at));
    else this.#addFields(frame, this.#text.slice(frame.from, at));
    this.#attach(frame, at + 1);
    return true;
  }

  /** Returns the whole value. */
  end(): unknown {
    if (this.#frames.length > 0) throw this.#refusal();
    if (!this.#root) return this.#parse(this.#text);
    this.#expectBlank(this.#root.end, this.#text.length);
    return this.#root.value;
  }

  #attach({ start, elements, fields }: Frame, end: number): void {
    const value = elements ?? fields;
    const parent = this.#frames.at(-1);
    if (!parent) {
      if (this.#root) throw this.#refusal();
      this.#expectBlank(0, start);
      this.#root = { value, end };
      return;
    }
    if (parent.isAfterChild) throw this.#refusal();
    const before = this.#text.slice(parent.from, start);
    if (parent.isArray) {
      if (!BLANK.test(before)) {
        if (!COMMA_AT_END.test(before)) throw this.#refusal();
        this.#addElements(parent, before.replace(COMMA_AT_END, ""));
      }
      parent.elements ??= [];
      parent.elements.push(value);
    } else {
      const added = this.#addFields(parent, `${before}"${this.#mark}"`);
      const key = Object.keys(added).find((name) => added[name] === this.#mark);
      if (key === undefined) throw this.#refusal();
      // What the parser refuses in a text that has both.
      if (key === "constructor" && fields && Object.hasOwn(fields, "prototype")) throw this.#refusal();
      if (parent.fields) setField(parent.fields, key, value);
    }
    parent.from = end;
    parent.isAfterChild = true;
  }

  #addElements(frame: Frame, text: string): void {
    const added = this.#parse(`[${text}]`);
    if (!Array.isArray(added) || added.length === 0) throw this.#refusal();
    frame.elements ??= [];
    for (const element of added) frame.elements.push(element);
  }

  #addFields(frame: Frame, text: string): Record<string, unknown> {
    const added = this.#parse(`{${text}}`);
    if (typeof added !== "object" || added === null || Object.keys(added).length === 0) throw this.#refusal();
    frame.fields ??= {};
    for (const [key, value] of Object.entries(added)) setField(frame.fields, key, value);
    return { ...added };
  }

  #expectBlank(from: number, to: number): void {
    if (!BLANK.test(this.#text.slice(from, to))) throw this.#refusal();
  }

  /** Returns what the parser throws for an invalid text. */
  #refusal(): unknown {
    try {
      this.#parse("{");
    } catch (error) {
      return error;
    }
    return new SyntaxError("Invalid JSON");
  }
}

/** Sets a field as `JSON.parse` does, for which `__proto__` is a key like any other. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
}
