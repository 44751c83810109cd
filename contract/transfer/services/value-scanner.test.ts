import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValueScanner } from "./value-scanner.ts";

/** Returns the values of a text that arrives in pieces of a length, and whether it was whole. */
function scanned(text: string, length: number): { values: string[]; isWhole: boolean } {
  const values: string[] = [];
  const scanner = new ValueScanner((json) => values.push(json));
  for (let at = 0; at < text.length; at += length) scanner.push(text.slice(at, at + length));
  return { values, isWhole: scanner.isWhole };
}

describe("the scanner of values", () => {
  it("a list of any values in pieces of any length has these values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(0, 2),
        (list, length, indent) => {
          const { values, isWhole } = scanned(`\ufeff \n${JSON.stringify(list, null, indent)}\n`, length);
          expect(values.map((json) => JSON.parse(json) as unknown)).toEqual(JSON.parse(JSON.stringify(list)));
          expect(isWhole).toBe(true);
        },
      ),
    );
  });

  it("an object is one value", () => {
    const object = { a: [1, { b: "]}" }], c: '"' };
    expect(scanned(JSON.stringify(object), 3)).toEqual({ values: [JSON.stringify(object)], isWhole: true });
  });

  it("a text that ends in the middle has the values before, and is not whole", () => {
    expect(scanned('[{"a":1},{"b":"', 4)).toEqual({ values: ['{"a":1}'], isWhole: false });
  });

  it("what follows the list is ignored", () => {
    expect(scanned("[1] [2]", 2)).toEqual({ values: ["1"], isWhole: true });
  });

  it.each(["# hi", "hello", '"text"', "7"])("a text that is no list and no object is refused: %s", (text) => {
    expect(() => scanned(text, 2)).toThrow(expect.objectContaining({ reason: "not-an-export" }));
  });
});
