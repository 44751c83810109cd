import { expect, test } from "vitest";
import { architectureProblems } from "./architecture.ts";

const markers = "<!-- import rules: made by `npm run zones` -->\n\n<!-- end of import rules -->";
const page = (tree: string, more = "") => `# Architecture\n\n\`\`\`text\n${tree}\`\`\`\n\n${markers}\n${more}`;
const tree = "web/    pages\n  api/    requests\n    streams/\n  locales/    texts\n    de/ fr/\ne2e/    journeys\n";

test("a tree of ARCHITECTURE.md with every folder has no problem", () => {
  const folders = ["web/api", "web/api/streams", "web/locales", "web/locales/de", "web/locales/fr"];
  expect(architectureProblems(page(tree), folders)).toEqual([]);
});

test("a tree of ARCHITECTURE.md without a folder, or with a wrong one, is reported by the path", () => {
  const folders = ["web/api", "web/locales", "web/locales/de", "web/locales/fr", "web/reply"];
  expect(architectureProblems(page(tree), folders)).toEqual([
    "ARCHITECTURE.md lacks the folder web/reply.",
    "ARCHITECTURE.md has a folder that does not exist: web/api/streams.",
  ]);
});

test("an ARCHITECTURE.md of more than 900 words is reported, and the generated picture is not counted", () => {
  const long = page(tree, "word ".repeat(900));
  expect(
    architectureProblems(long, ["web/api", "web/api/streams", "web/locales", "web/locales/de", "web/locales/fr"]),
  ).toEqual([expect.stringMatching(/^ARCHITECTURE\.md has 91\d words, of 900 allowed\.$/)]);
});
