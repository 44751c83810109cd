import fc from "fast-check";
import { expect, test } from "vitest";
import { SentenceReader } from "./sentence-reader.ts";

const names = {
  code: (language: string) => `Code ${language}`.trim(),
  image: (name: string) => `Image ${name}`,
  alert: (kind: string) => `An alert: ${kind}`,
};

/** Returns the text read out of a reply that arrives in pieces. */
function readOut(pieces: readonly string[], from = 0): string[] {
  const reader = new SentenceReader("en", names, from);
  let text = "";
  const read = pieces.flatMap((piece) => {
    text += piece;
    return reader.take(text, false);
  });
  return [...read, ...reader.take(text, true)];
}

test("a text is spoken once its sentence has ended, and the rest at the end", () => {
  const reader = new SentenceReader("en", names);
  expect(reader.take("The sea ri", false)).toEqual([]);
  expect(reader.take("The sea rises. Then it", false)).toEqual(["The sea rises."]);
  expect(reader.take("The sea rises. Then it falls", true)).toEqual(["Then it falls"]);
});

test.each([
  ["> [!Note]\n> Words. More.\n", ["An alert: note", "Words.", "More."]],
  ["# A **bold** title\n", ["A bold title"]],
  ["- one\n- [x] two\n3. three\n", ["one", "two", "3. three"]],
  ["> A quote with `code` and [a link](https://a.b/c).\n", ["A quote with code and a link."]],
  ["*Calm* and _quiet_, but 2 * 3 and snake_case.\n", ["Calm and quiet, but 2 * 3 and snake_case."]],
  ["Look:\n```ts\nconst a = 1. Not read.\n```\nDone.", ["Look:", "Code ts", "Done."]],
  ["````md\n```\nin\n```\n````\nOut.", ["Code md", "Out."]],
  ["- See:\n  ```ts\n  in();\n  ```\n- Out.", ["See:", "Code ts", "Out."]],
  ["1. ~~~ts\n   in();\n2. Out.\n", ["Code ts", "2. Out."]],
  ["> See:\n> ```ts\n> in();\nOut.", ["See:", "Code ts", "Out."]],
  ["> - a\n>   ```\n>   in();\n>   ```\n> Out.", ["a", "Code", "Out."]],
  ["```a`b``` is code. Out.", ["ab is code.", "Out."]],
  ["Words. ```\nOut.", ["Words.", "Out."]],
  ["```\n  ```\nOut.", ["Code", "Out."]],
  ["> | A | B |\n", ["A, B"]],
  ["One. Two! 3. Three.\n", ["One.", "Two!", "3.", "Three."]],
  ["See [a. B](https://x.y/c. D) now. End.\n", ["See a. B now.", "End."]],
  ["| A | B |\n| --- | --- |\n| 1 | **2** |\n", ["A, B", "1, 2"]],
  ["![a cat](https://x.y/z.png)\n", ["Image a cat"]],
  ["---\n\n***\n", []],
])("the text %j is spoken as %j", (text, read) => {
  expect(readOut([text])).toEqual(read);
});

test("text from before the start is not spoken", () => {
  expect(readOut(["Old words. New ones."], "Old words. ".length)).toEqual(["New ones."]);
});

test.each([
  ["in code", "Old.\n```ts\nold();\n", "new();\n```\nOut.", ["Out."]],
  ["in code of a list", "- Old:\n  ```\n  old();\n  n", "ew();\n  ```\nOut.", ["Out."]],
  ["behind code", "```\nold();\n```\n", "New.\n```\nnew();\n", ["New.", "Code"]],
  ["in the marks of code", "Old.\n``", "`\nnew();\n", ["Code"]],
  ["in a sentence", "Old. Old and n", "ew. Out.", ["ew.", "Out."]],
])("a listener who begins %s hears no code", (_name, before, after, read) => {
  expect(readOut([before, after], before.length)).toEqual(read);
});

test("text without sentence ends is spoken in pieces", () => {
  const reader = new SentenceReader("en", names);
  expect(reader.take("word ".repeat(200), false).join("").length).toBeGreaterThan(500);
});

test("Japanese sentences need no spaces to be spoken one by one", () => {
  expect(new SentenceReader("ja", names).take("海が満ちます。そして引き", false)).toEqual(["海が満ちます。"]);
});

const line = fc.constantFrom(
  ...[
    "# Head",
    "One. Two! ",
    "three",
    "- item four. Five.",
    "- ",
    "1. six. Seven",
    "| five | six |",
    "| --- | --- |",
    "",
  ],
  ...[
    "seven eight. nine",
    "See [a. B](https://x.y) and <b>c. D</b>. (etc.) e. F",
    "- [ x",
    "> quoted. Words",
    "12. 13",
  ],
);
const codeLine = fc.constantFrom(
  ...[
    "```",
    "```ts",
    "~~~",
    "  ```",
    "> ```js",
    "- ```",
    "    ```",
    "``` a`b",
    "~~~ a`b",
    "````",
    "> - ~~~ts",
    "\t```",
  ],
);

/** Cuts a text into pieces of these sizes, repeatedly. */
function piecesOf(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}
const sizesOfPieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

test("the spoken sentences do not depend on how the text was cut", () => {
  const lines = fc.array(fc.oneof({ weight: 2, arbitrary: line }, { weight: 1, arbitrary: codeLine }));
  fc.assert(
    fc.property(lines, sizesOfPieces, (all, sizes) => {
      const text = all.join("\n");
      expect(readOut(piecesOf(text, sizes))).toEqual(readOut([text]));
    }),
    { numRuns: 500 },
  );
});

test("the spoken sentences are the same for lines of any length, and no word is left out", () => {
  const words = fc.array(fc.constantFrom("word ", "Word. ", "x".repeat(90), "(1) ", "! "), {
    minLength: 50,
    maxLength: 200,
  });
  fc.assert(
    fc.property(words, sizesOfPieces, (all, sizes) => {
      const text = all.join("");
      const read = readOut([text]);
      expect(readOut(piecesOf(text, sizes))).toEqual(read);
      expect(read.join("").match(/\w/g)).toEqual(text.match(/\w/g));
    }),
    { numRuns: 20 },
  );
});

test("no word is left out and none is spoken twice", () => {
  fc.assert(
    fc.property(fc.array(line), sizesOfPieces, (all, sizes) => {
      const text = all.join("\n");
      const words = (read: string[]) => read.join(" ").match(/\w+/g);
      const shown = text.replaceAll(/\(https:[^)]*\)|<\/?b>/g, "");
      expect(words(readOut(piecesOf(text, sizes)))).toEqual(shown.match(/\w+/g));
    }),
  );
});

test("I9 a long text is read in parts of bounded length, whose sentences are those of the whole text", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 20 }), fc.integer({ min: 1, max: 50 }), (all, most) => {
      const text = all.join("\n");
      const reader = new SentenceReader("en", names);
      const read: string[] = [];
      while (!reader.isAtEndOf(text)) {
        const sentences = reader.take(text, true, most);
        expect(sentences.slice(0, -1).join("").length).toBeLessThan(most);
        read.push(...sentences);
      }
      expect(read).toEqual(readOut([text]));
    }),
  );
});
