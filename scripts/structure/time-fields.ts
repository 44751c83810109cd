// A time without bounds is stored, and then throws wherever it is formatted.
import { type SourceFile, type SyntaxNode, syntaxTreeOf, walk } from "./source-files.ts";

const TIME_NAMES = /^(at|until|\w+(At|Until))$/;
const BARE_NUMBER = /^(z\.\w+\()*z\.(int|number|coerce)\b/;
/** Here `at` is a position in a text. */
const POSITION_FILES = ["contract/conversation/parts.ts", "contract/conversation/reply-events.ts"];

type Property = { key: { name?: string }; value: { start: number; end: number } };

/** Returns a sentence for each field of the contract that is named as a time and accepts any number. */
export function timeFieldProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    if (file.isTest || !file.path.startsWith("contract/") || POSITION_FILES.includes(file.path)) return [];
    const problems: string[] = [];
    walk(syntaxTreeOf(file), (node) => {
      if (node.type !== "Property") return;
      const { key, value } = node as SyntaxNode & Property;
      if (TIME_NAMES.test(key.name ?? "") && BARE_NUMBER.test(file.text.slice(value.start, value.end)))
        problems.push(`${file.path}: ${key.name} is a time without bounds. Use timeField() of contract/times.ts.`);
    });
    return problems;
  });
}
