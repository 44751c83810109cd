// A test's title is found by search and pasted into issues, so it is a whole sentence without its `describe`.
import { type SourceFile, type SyntaxNode, syntaxTreeOf, walk } from "./source-files.ts";

/** First words of the second half of a sentence that a `describe` begins. */
const CONTINUATIONS =
  "also|am|and|are|be|but|can|cannot|could|did|had|has|have|is|may|might|must|nor|not|of|or|shall|should|than|that|" +
  "was|were|which|who|whom|whose|will|would";

/** A title that begins with such a word, after ids of the security checklist such as `E4` or `K3, K4`. */
const HALF = `(?:[A-Z]\\d{1,2}(?:[–-][A-Z]?\\d{1,2}|,? and|,|:)? )*(?:${CONTINUATIONS})\\b`;
const HALF_TITLE = new RegExp(`^${HALF}`);
/** Syntax trees are expensive: only files with such a string are parsed. */
const HALF_STRING = new RegExp(`["'\`]${HALF}`);

/** Returns the title of a call of `test`, its variants and `test.each(…)`; undefined for other nodes. */
function titleOf(node: SyntaxNode): string | undefined {
  if (node.type !== "CallExpression" || !isTest(node.callee as SyntaxNode)) return undefined;
  const [first, ...others] = node.arguments as SyntaxNode[];
  if (first?.type === "Literal" && others.length > 0) return String(first.value);
  if (first?.type !== "TemplateLiteral") return undefined;
  return (first.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("%s");
}

/** Whether a callee is `test`, `it`, `test.skipIf(…)`, `test.each(…)` and the like; not hooks such as `test.use`. */
function isTest(callee: SyntaxNode): boolean {
  if (callee.type === "Identifier") return callee.name === "test" || callee.name === "it";
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression") {
    return isTest((callee.type === "CallExpression" ? callee.callee : callee.tag) as SyntaxNode);
  }
  return callee.type === "MemberExpression" && isTest(callee.object as SyntaxNode);
}

/** Returns a sentence for each title that is the second half of a sentence. */
export function testTitleProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (!file.isTest || !HALF_STRING.test(file.text)) return [];
    const halves: string[] = [];
    walk(syntaxTreeOf(file), (node) => {
      const title = titleOf(node);
      if (title !== undefined && HALF_TITLE.test(title)) halves.push(title);
    });
    return halves.map((title) => `${file.path}: "${title}" is half a sentence. Write the whole one, with its subject.`);
  });
}
