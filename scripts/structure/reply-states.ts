import type { SourceFile } from "./source-files.ts";

const home = "contract/conversation/reply-state.ts";
const product = /^(?:contract|server|web(?!\/testing))\//;
/** The states themselves, schemas of stored data, and the name of a group of shortcuts and of a text. */
const exempt =
  /^(?:contract\/conversation\/conversation\.ts|server\/database\/migrations\/.*|web\/locales\/variables\.ts)$/;
const otherMeaning = /group: "writing"|shortcutGroups|t\("writing"\)/;

/**
 * Finds product files that name the state of a running reply themselves: a further state, such as that of a reply that
 * waits for a person, is added in `contract/conversation/reply-state.ts` alone.
 */
export function replyStateProblems(files: readonly Pick<SourceFile, "path" | "text" | "isTest">[]): string[] {
  return files.flatMap(({ path, text, isTest }) => {
    if (isTest || path === home || !product.test(path) || exempt.test(path)) return [];
    const lines = text.split("\n").filter((line) => line.includes('"writing"') && !otherMeaning.test(line));
    return lines.length === 0 ? [] : [`${path}: a running reply is recognised by ${home}, not by "writing"`];
  });
}
