import { type SourceFile, type SyntaxNode, syntaxTreeOf, walk } from "./source-files.ts";

/** Largest number of source lines of a function, from the line of `function` to its closing brace, JSX included. */
export const FUNCTION_MAX_LINES = 80;

const product = /^(?:contract|server|web(?!\/testing))\//;
const functions = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/** Fields of nodes that name the function which is their value. */
type Named = SyntaxNode & {
  id?: { name?: string } | null;
  key?: { name?: string };
  value?: SyntaxNode;
  init?: SyntaxNode | null;
};
type Position = SyntaxNode & { start: number; end: number };

/** Finds functions of product files that are too long to be read at once. Biome counts neither blank lines nor comments. */
export function functionLengthProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (file.isTest || !product.test(file.path) || file.lineCount <= FUNCTION_MAX_LINES) return [];
    const names = new Map<SyntaxNode, string>();
    const problems: string[] = [];
    walk(syntaxTreeOf(file), (node) => {
      const { id, key, value, init } = node as Named;
      const target = value ?? init;
      const name = id?.name ?? key?.name;
      if (target && name !== undefined) names.set(target, name);
      if (!functions.includes(node.type)) return;
      const { start, end } = node as Position;
      const lines = file.text.slice(start, end).split("\n").length;
      if (lines <= FUNCTION_MAX_LINES) return;
      const shown = id?.name ?? names.get(node) ?? "A function without a name";
      problems.push(`${file.path}: ${shown} has ${lines} lines, ${FUNCTION_MAX_LINES} are allowed.`);
    });
    return problems;
  });
}
