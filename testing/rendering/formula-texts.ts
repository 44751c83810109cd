/** Texts with formulas as models write them. `formulas`: number of formulas drawn; `words`: text beside them. */
export type FormulaText = { text: string; formulas: number; words: string };

export const formulaTexts: readonly FormulaText[] = [
  { text: "So:\n\n```math\n\\sqrt{2}\n```\n\nEnd", formulas: 1, words: "So:End" },
  { text: "- So:\n  ```math\n  x^2\n  ```\n- End", formulas: 1, words: "So:End" },
  { text: "GitHub writes $`\\sqrt2`$ so.", formulas: 1, words: "GitHubwritesso." },
  { text: "Doubled \\\\(x^2\\\\) and\n\n\\\\[y\\\\]\n\nEnd", formulas: 2, words: "DoubledandEnd" },
  { text: "| a | b |\n|---|---|\n| $\\|x\\|$ | rest |", formulas: 1, words: "abrest" },
  { text: "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n\nEnd", formulas: 1, words: "End" },
  { text: "Water is $\\ce{H2O}$.", formulas: 1, words: "Wateris." },
  { text: "A length $\\SI{5}{m}$ so.", formulas: 0, words: "Alength$\\SI{5}{m}$so." },
  {
    text: "A link $\\href{https://a.example}{words}$ so.",
    formulas: 0,
    words: "Alink$\\href{https://a.example}{words}$so.",
  },
  { text: "Within $\\begin{align} a &= b \\end{align}$ words.", formulas: 1, words: "Withinwords." },
  { text: "It costs $5/$6, 5$ and 6$.", formulas: 0, words: "Itcosts$5/$6,5$and6$." },
  { text: "From $5 to $6 a day.", formulas: 0, words: "From$5to$6aday." },
];

const FENCE = "```";

/** Code of Markdown with code inside, and what follows. `codes`: the code blocks of the page. */
export const nestedFences: readonly { text: string; codes: readonly string[]; words: string }[] = [
  {
    text: `A README:\n\n${FENCE}markdown\n# Title\n\n${FENCE}bash\nnpm i\n${FENCE}\n\n## Next\n${FENCE}\n\n**End**`,
    codes: [`# Title\n\n${FENCE}bash\nnpm i\n${FENCE}\n\n## Next`],
    words: "AREADME:End",
  },
  {
    text: `${FENCE}md\n${FENCE}js\na\n${FENCE}\n${FENCE}py\nb\n${FENCE}\n${FENCE}\nEnd\n\n${FENCE}js\nc\n${FENCE}`,
    codes: [`${FENCE}js\na\n${FENCE}\n${FENCE}py\nb\n${FENCE}`, "c"],
    words: "End",
  },
  { text: `${FENCE}markdown\n# a\n${FENCE}\n\nEnd\n\n${FENCE}js\nb\n${FENCE}`, codes: ["# a", "b"], words: "End" },
  {
    text: `${FENCE}markdown\n${FENCE}js\na\n${FENCE}\n\nEnd`,
    codes: [`${FENCE}js\na`],
    words: "End",
  },
  { text: `${FENCE}js\n${FENCE}py\na\n${FENCE}\n\nEnd`, codes: [`${FENCE}py\na`], words: "End" },
];
