import { describe, expect, test } from "vitest";
import { ThinkingFilter } from "./thinking-filter.ts";

type Options = { isOpen?: boolean; tag?: string; isCut?: boolean };

/** Returns what the filter emits for each piece as `[text, reasoning]`, then at its end. `<<`: all text is taken back. */
function emitted(pieces: readonly string[], { isOpen = false, tag, isCut = false }: Options = {}): [string, string][] {
  const filter = new ThinkingFilter({ isOpen });
  if (tag !== undefined) filter.expectTag(tag);
  const outputs = [...pieces, undefined].map((piece) => {
    const output: [string, string] = ["", ""];
    const sink = {
      onText: (text: string) => {
        expect(text).not.toBe("");
        output[0] += text;
      },
      onReasoning: (reasoning: string) => {
        expect(reasoning).not.toBe("");
        output[1] += reasoning;
      },
      onTakeBack: () => {
        output[0] += "<<";
      },
    };
    if (piece === undefined) filter.end(sink, { isCut });
    else filter.push(piece, sink);
    return output;
  });
  return outputs;
}

/** Returns text and reasoning in the end. */
function joined(pieces: readonly string[], options?: Options): [string, string] {
  const [text, reasoning] = emitted(pieces, options).reduce(([a, b], [c, d]) => [a + c, b + d], ["", ""]);
  const [taken, ...rest] = text.split("<<");
  return rest.length === 0 ? [text, reasoning] : [rest.join("<<"), (taken ?? "").trim() + reasoning];
}

/** Expects an outcome wherever the stream is cut in two or three pieces, and for single characters. */
function expectEverywhere(stream: string, outcome: [string, string], options?: Options): void {
  expect(joined([...stream], options), "in characters").toEqual(outcome);
  for (let cut = 0; cut <= stream.length; cut++) {
    expect(joined([stream.slice(0, cut), stream.slice(cut)], options), `cut at ${cut}`).toEqual(outcome);
    const third = [stream.slice(0, cut), stream.slice(cut, cut + 7), stream.slice(cut + 7)];
    expect(joined(third, options), `cut at ${cut} and 7 later`).toEqual(outcome);
  }
}

const FENCED = "```html\n<think>\n</think>\n```\n";

describe("reasoning in marks", () => {
  test.each([
    ["<think>\nFirst. <b>x</b> </thin\n\nSecond.\n</think>\n\nAnswer </think>", "Answer </think>"],
    [" \n<think>First. <b>x</b> </thin\n\nSecond.</think>Answer <think>", "Answer <think>"],
    ["<thinking>First. <b>x</b> </thin\n\nSecond.</thinking>\nAnswer", "Answer"],
    ["<seed:think>First. <b>x</b> </thin\n\nSecond.</seed:think>Answer", "Answer"],
    ["[THINK]First. <b>x</b> </thin\n\nSecond.[/THINK]\n\nAnswer [1]", "Answer [1]"],
  ])("the reasoning in %j is separated from the text wherever it is split", (stream, text) => {
    for (let cut = 0; cut <= stream.length; cut++) {
      for (let second = cut; second <= stream.length; second++) {
        const pieces = [stream.slice(0, cut), stream.slice(cut, second), stream.slice(second)];
        expect(joined(pieces)).toEqual([text, "First. <b>x</b> </thin\n\nSecond."]);
      }
    }
  });

  test.each([
    // A second thought.
    ["<think>One</think>A\n\n<think>\nTwo\n</think>\n\nB", ["A\n\nB", "OneTwo"]],
    ["<think>One</think>\n<think>Two</think>\nB", ["B", "One\n\nTwo"]],
    ["Text\n <thinking>Two</thinking>B", ["Text\n B", "Two"]],
    // No opening mark.
    ["Hm, so.\n</think>\n\nAnswer", ["Answer", "Hm, so."]],
    ["Hm, so.[/THINK]Answer", ["Answer", "Hm, so."]],
    ["Hm, so.</seed:think>Answer", ["Answer", "Hm, so."]],
    ["Hm, `a` so.\n```\ncode\n```\n</thinking>Answer </think>", ["Answer </think>", "Hm, `a` so.\n```\ncode\n```"]],
    ["\n</think>\n\nAnswer", ["Answer", ""]],
    // Harmony.
    ["<|channel|>analysis<|message|>One<|end|><|start|>assistant<|channel|>final<|message|>A", ["A", "One"]],
    ["<|start|>assistant<|channel|>final<|message|>A <b><|return|>", ["A <b>", ""]],
    [
      "<|channel|>analysis<|message|>One<|end|><|start|>assistant<|channel|>commentary to=functions.a <|constrain|>json" +
        "<|message|>{}<|call|><|channel|>final<|message|>A",
      ["A", "One\n\n{}"],
    ],
    ["One<|end|><|start|>assistant<|channel|>final<|message|>A", ["A", "One"]],
    ["<|channel|>analysis<|message|>One", ["", "One"]],
  ] satisfies [string, [string, string]][])(
    "the marks in %j are recognised wherever they are split",
    (stream, outcome) => {
      expectEverywhere(stream, outcome);
    },
  );

  test.each([
    `Use this:\n${FENCED}Then.`,
    `Use this:\n${FENCED.replaceAll("```", "~~~~")}</thin`,
    "- a list\n  ```\n</think>\n<think>\n  ```\nend",
    "> ```\n> <think>\n> ```\n",
    "```\n</think>",
    "The mark `</think>` ends it, ``<think> ` `` begins it, and `[THINK]` too.",
    "`</think>",
    "An <b>element</b>, a [link](x), <thought>no</thought> and a < b.",
    "Say <think> in a line, or <|channel|> and <|end|> alone.",
    "<|message|>x",
  ])("the text %j has no reasoning wherever it is split", (text) => {
    expectEverywhere(text, [text, ""]);
  });

  test("a mark after a single backtick of an earlier line counts", () => {
    expectEverywhere("It`s so.\n</think>Answer", ["Answer", "It`s so."]);
  });

  test("marks in code of a thought do not end it, but a mark alone in its line does", () => {
    expectEverywhere("<think>The `</think>` mark\n```\na </think>\n```\nends.</think>A", [
      "A",
      "The `</think>` mark\n```\na </think>\n```\nends.",
    ]);
    expectEverywhere("<think>Open:\n```\na\n</think>\nA", ["A", "Open:\n```\na"]);
  });

  test("text is taken back once, and not after reasoning", () => {
    expect(joined(["One</think>Two</think>Three"])).toEqual(["Two</think>Three", "One"]);
    expect(joined(["<think>One</think>Two</think>Three"])).toEqual(["Two</think>Three", "One"]);
    const filter = new ThinkingFilter();
    filter.noteReasoning();
    let text = "";
    const onText = (piece: string) => {
      text += piece;
    };
    filter.push("A </think> B", { onText, onReasoning: () => expect.fail(), onTakeBack: () => expect.fail() });
    expect(text).toBe("A </think> B");
  });

  test("another tag is expected if the provider says so", () => {
    expectEverywhere("<thought>One</thought>A", ["A", "One"], { tag: "thought" });
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

  test("a word of text is emitted at once", () => {
    expect(emitted(["One", " two\n", "`", "x` ", "a < b"]).map(([text]) => text)).toEqual([
      ...["One", " two\n", "`", "x` ", "a < b", ""],
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

describe("a reply that begins within a thought", () => {
  test.each([
    ["Hm, so.\n</think>\n\nAnswer </think>", ["Answer </think>", "Hm, so."]],
    ["<think>Hm, so.</think>Answer", ["Answer", "Hm, so."]],
    ["Hm, so.[/THINK]Answer", ["Answer", "Hm, so."]],
    ["Hm, so.<|end|><|start|>assistant<|channel|>final<|message|>Answer", ["Answer", "Hm, so."]],
    // The model had no thought this time.
    ["Answer", ["Answer", "Answer"]],
    ["", ["", ""]],
  ] satisfies [string, [string, string]][])("%j has its reasoning from the first word on", (stream, outcome) => {
    expectEverywhere(stream, outcome, { isOpen: true });
    expect(emitted([...stream], { isOpen: true }).map(([text]) => text)).not.toContain("<<");
  });

  test("a thought that is cut off at the limit of its length is not repeated as text", () => {
    expectEverywhere("Hm, so", ["", "Hm, so"], { isOpen: true, isCut: true });
  });
});
