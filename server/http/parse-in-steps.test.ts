import fc from "fast-check";
import { expect, it } from "vitest";
import { parsingSteps } from "./parse-in-steps.ts";

/** Returns the value, or "invalid". */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch {
    return "invalid";
  }
}

function stepsOf(text: string, chunk: number, parse: (text: string) => unknown = JSON.parse) {
  const steps = parsingSteps(text, parse, chunk);
  let count = 0;
  for (let step = steps.next(); ; step = steps.next(), count++) if (step.done) return { value: step.value, count };
}

it("K9 a text that is parsed in steps has the value that JSON.parse returns, for any JSON and chunk", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(20), fc.constantFrom(undefined, 2), (value, chunk, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(stepsOf(text, chunk).value).toEqual(JSON.parse(text));
    }),
  );
});

it.each(['{"__proto__":[1,2,{"a":[3]}]}', '{"a":[1,2],"__proto__":"b","c":[3]}'])(
  "a key that names the prototype is a field of a text that is parsed in steps: %s",
  (text) => {
    for (const chunk of [0, 1, 3]) expect(JSON.stringify(stepsOf(text, chunk).value)).toBe(text);
  },
);

it("K9 a text that is parsed in steps is refused if JSON.parse refuses it", () => {
  const signs = fc.constantFrom(...'[]{},:1" ', '"a":', "[1,2],", '{"a":[1,2],', "null");
  const mutated = fc.tuple(fc.jsonValue(), fc.nat(), fc.nat(3), signs).map(([value, at, removed, added]) => {
    const text = JSON.stringify(value);
    const position = at % (text.length + 1);
    return text.slice(0, position) + added + text.slice(position + removed);
  });
  const assembled = fc.array(signs, { maxLength: 12 }).map((list) => list.join(""));
  fc.assert(
    fc.property(fc.oneof(mutated, assembled), fc.nat(3), (text, chunk) => {
      expect(outcomeOf(() => stepsOf(text, chunk).value)).toEqual(outcomeOf(() => JSON.parse(text)));
    }),
    { numRuns: 3000 },
  );
});

it("K9 no chunk of a body of 100,000 objects is longer than 64 kB and one element", () => {
  const messages = Array.from({ length: 100_000 }, (_, at) => ({ id: at, parts: [{ kind: "k" }] }));
  const text = JSON.stringify({ format: "f", chats: [{ messages, title: "t" }], last: 1 });
  let longest = 0;
  const parse = (chunk: string) => {
    longest = Math.max(longest, chunk.length);
    return JSON.parse(chunk);
  };
  const { value, count } = stepsOf(text, 64 * 1024, parse);
  expect(value).toEqual(JSON.parse(text));
  expect(longest).toBeLessThan(66_000);
  expect(count).toBeGreaterThanOrEqual(text.length / 66_000);
});

it("keys that could change prototypes are refused in a body that is parsed in steps", () => {
  const big = JSON.stringify(Array.from({ length: 50 }, () => ({})));
  expect(() => stepsOf(`{"constructor":{"prototype":{},"list":${big}}}`, 10)).toThrow();
});
