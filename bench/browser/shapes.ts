import { Random } from "../../testing/app/random.ts";

/** Shapes of generated replies, which are the same in each run. */
export const shapes = ["prose", "list", "table", "code"] as const;
export type Shape = (typeof shapes)[number];

const VOCABULARY =
  "light water stone river letter paper engine window garden number signal memory answer forest carbon silver " +
  "reason motion season travel winter yellow bridge circle daily early famous gentle hollow island journey kindly " +
  "a the of and to in that it was for on with as by from at but not they this when where which while between";

/** Generates a reply of about `length` UTF-16 units, in whole lines. */
export function textOf(shape: Shape, length: number): string {
  const words = wordsOf(VOCABULARY.split(" "));
  let text = beginnings[shape];
  for (let row = 0; text.length < length; row++) text += lines[shape](words, row);
  return shape === "code" ? `${text}\`\`\`\n` : text;
}

type Words = (count: number) => string;

const beginnings: Record<Shape, string> = {
  prose: "# What is known\n\n",
  list: "",
  table: "| Name | Meaning | Count | Note |\n|---|---|---:|---|\n",
  code: "```ts\n",
};

const lines: Record<Shape, (words: Words, row: number) => string> = {
  prose: (words, row) => {
    if (row % 12 === 11) return `## ${words(4)}\n\n`;
    return `${words(20)}, **${words(3)}** and ${words(15)}; \`${words(1)}\` is [${words(2)}](https://example.org/${row}). ${words(30)}.\n\n`;
  },
  list: (words, row) => `- **${words(2)}**: ${words(10 + (row % 9))}\n`,
  table: (words, row) => `| ${words(2)} | ${words(8)} | ${row} | **${words(2)}** |\n`,
  code: (words, row) => {
    const [name, other] = words(2).split(" ");
    if (row % 8 === 0) return `\n/** ${words(9)}. */\nexport function ${name}${row}(${other}: number): string {\n`;
    if (row % 8 === 7) return `  return String(${other});\n}\n`;
    return `  const ${name}${row} = read("${words(3)}", ${row}); // ${words(3)}\n`;
  },
};

/** Draws words from a vocabulary, with a fixed seed. */
function wordsOf(vocabulary: readonly string[]): Words {
  const random = new Random("shapes");
  const draw = () => vocabulary[random.between(0, vocabulary.length - 1)];
  return (count) => Array.from({ length: count }, draw).join(" ");
}

/** Splits a text like a model's tokeniser: a word with its leading space, long words in pieces. */
export const tokensOf = (text: string): string[] => text.match(/\s?[^\s]{1,6}|\s+/g) ?? [];
