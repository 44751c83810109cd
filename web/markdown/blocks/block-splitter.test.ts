import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BlockSplitter } from "./block-splitter.ts";

const repeat = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");
/** Removes white space: the parser drops some at the end of a list. */
const wordsOf = (text: string) => text.replaceAll(/\s/g, "");
const longest = (blocks: string[]) => Math.max(...blocks.map(({ length }) => length));

/** Splits a text that grows in steps, and returns the last result. */
function grow(text: string, step = 97): { blocks: string[]; splitter: BlockSplitter } {
  const splitter = new BlockSplitter();
  let blocks: string[] = [];
  for (let end = 0; end < text.length + step; end += step) blocks = splitter.split(text.slice(0, end));
  return { blocks, splitter };
}

const mixed = repeat(
  40,
  (i) =>
    `## Title ${i}\n\nSome *words* here.\nAnd more.\n\n- one\n- two\n\n\`\`\`js\nlet a = ${i};\n\nb();\n\`\`\`\n\n`,
);

describe("a growing reply", () => {
  test("a growing reply is split into blocks that together are the text", () => {
    expect(grow(mixed).blocks.join("")).toBe(mixed);
  });

  test("a growing reply is split into the same blocks for any step size", () => {
    expect(grow(mixed, 13).blocks).toEqual(grow(mixed, 501).blocks);
  });

  test("a growing reply keeps the blocks before its tail", () => {
    const splitter = new BlockSplitter();
    const before = splitter.split(mixed);
    const later = splitter.split(`${mixed}More words.`);
    expect(later.slice(0, before.length - 2)).toEqual(before.slice(0, -2));
  });

  test.each([
    ["list", repeat(900, (i) => `- item ${i} with some words\n`)],
    ["numbered list", repeat(900, (i) => `${i + 1}. item ${i} with some words\n`)],
    ["quote", repeat(900, (i) => `> line ${i} with some words\n`)],
    ["run of lines", repeat(900, (i) => `line ${i} with some words\n`)],
    ["paragraph", repeat(900, (i) => `Sentence ${i} has some words. `)],
    ["word", repeat(6000, (i) => `[${i}`)],
  ])("a growing reply is cut in one long %s", (_name, text) => {
    const { blocks, splitter } = grow(text);
    expect(blocks.join("")).toBe(text);
    expect(longest(blocks)).toBeLessThan(8200);
    expect(blocks.slice(1).every((block) => splitter.isContinued(block))).toBe(true);
    expect(splitter.isContinued(blocks[0] ?? "")).toBe(false);
  });

  test("a growing reply is cut in one long table, each piece with the head", () => {
    const head = "| a | b |\n|---|---|\n";
    const text = head + repeat(900, (i) => `| cell ${i} | words |\n`);
    const { blocks } = grow(`${text}\nAfter it.`);
    const table = blocks.slice(0, -1);
    expect(table.length).toBeGreaterThan(5);
    expect(longest(table)).toBeLessThan(2200);
    expect(table.every((block) => block.startsWith(head))).toBe(true);
    expect(head + table.map((block) => block.slice(head.length)).join("")).toBe(`${text}\n`);
    expect(blocks.at(-1)).toBe("After it.");
  });

  test("a growing reply is not cut in code", () => {
    const text = `\`\`\`js\n${repeat(900, (i) => `line(${i});\n`)}`;
    expect(grow(text).blocks).toEqual([text]);
  });

  test("another text resets the splitter", () => {
    const { splitter } = grow(mixed);
    expect(splitter.split("Other words.")).toEqual(["Other words."]);
  });

  test("the split of any text loses no word", () => {
    const pieces = fc.constantFrom(
      "\n",
      "\n\n",
      "- a",
      "1. b",
      "| x | y |",
      "|---|---|",
      "```",
      "# T",
      "words. ",
      "> q",
      "$$",
      "<p>",
      "\t",
      "  ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        return wordsOf(grow(text, 7).blocks.join("")) === wordsOf(text);
      }),
    );
  });
});

describe("a complete reply", () => {
  test("a complete reply keeps the blocks into which it was split while growing", () => {
    const list = repeat(900, (i) => `- item ${i} with some words\n`);
    const { blocks, splitter } = grow(list);
    expect(splitter.splitWhole(list)).toEqual(blocks);
  });

  test("tables that were split while a reply grew are joined at its end", () => {
    const table = `| a | b |\n|---|---|\n${repeat(300, (i) => `| cell ${i} | words |\n`)}`;
    const { blocks, splitter } = grow(`${table}\nAfter it.`);
    expect(blocks.length).toBeGreaterThan(3);
    expect(splitter.splitWhole(`${table}\nAfter it.`)).toEqual([`${table}\n`, "After it."]);
  });

  test("a complete reply with link definitions is parsed again", () => {
    const text = `${mixed}[a][b]\n\n[b]: https://example.com\n`;
    expect(grow(text).splitter.splitWhole(text)).toEqual(new BlockSplitter().splitWhole(text));
  });

  test("a complete reply is cut only if a block is very long", () => {
    const splitter = new BlockSplitter();
    const list = repeat(100, (i) => `- item ${i} with some words\n`);
    expect(splitter.splitWhole(list)).toEqual([list]);
    const long = repeat(2000, (i) => `- item ${i} with some words\n`);
    const blocks = splitter.splitWhole(long);
    expect(blocks.join("")).toBe(long);
    expect(longest(blocks)).toBeLessThan(16_100);
    expect(blocks.map((block) => splitter.isContinued(block))).toEqual(blocks.map((_, i) => i > 0));
  });
});
