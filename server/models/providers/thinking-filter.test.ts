import { describe, expect, test } from "vitest";
import { ThinkingFilter } from "./thinking-filter.ts";

/** Returns what the filter emits for each piece as `[text, reasoning]`, then at its end. */
function emitted(pieces: readonly string[]): [string, string][] {
  const filter = new ThinkingFilter();
  const outputs = [...pieces, undefined].map((piece) => {
    const output: [string, string] = ["", ""];
    const sink = {
      onText: (text: string) => {
        output[0] += text;
      },
      onReasoning: (reasoning: string) => {
        output[1] += reasoning;
      },
    };
    if (piece === undefined) filter.end(sink);
    else filter.push(piece, sink);
    return output;
  });
  return outputs;
}

const joined = (pieces: readonly string[]) => emitted(pieces).reduce(([a, b], [c, d]) => [a + c, b + d], ["", ""]);

describe("reasoning in tags", () => {
  test.each([
    ["<think>\nFirst. <b>x</b> </thin\n\nSecond.\n</think>\n\nAnswer </think>", "Answer </think>"],
    [" \n<think>First. <b>x</b> </thin\n\nSecond.</think>Answer <think>", "Answer <think>"],
  ])("the reasoning in %j is separated from the text wherever it is split", (stream, text) => {
    for (let cut = 0; cut <= stream.length; cut++) {
      for (let second = cut; second <= stream.length; second++) {
        const pieces = [stream.slice(0, cut), stream.slice(cut, second), stream.slice(second)];
        expect(joined(pieces)).toEqual([text, "First. <b>x</b> </thin\n\nSecond."]);
      }
    }
  });

  test("a word of reasoning in tags is emitted at once", () => {
    expect(emitted(["<think>\n", "One", " two\n", "three"]).map(([, reasoning]) => reasoning)).toEqual([
      "",
      "One",
      " two",
      "\nthree",
      "",
    ]);
  });

  test("blank reasoning in tags counts as none", () => {
    expect(joined(["<think>\n\n</think>\n\nHello"])).toEqual(["Hello", ""]);
  });

  test("reasoning in tags without an end is no text", () => {
    expect(joined(["<think>One </thi", "s "])).toEqual(["", "One </this"]);
  });

  test("blank reasoning in tags is not held back without limit", () => {
    const [, , second] = emitted(["<think>One", " ".repeat(2000), "x"]);
    expect(second).toEqual(["", "x"]);
  });
});
