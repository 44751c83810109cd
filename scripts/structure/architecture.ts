// ARCHITECTURE.md stays one page: every folder of the product is in its tree, and it has at most MAX_WORDS words.
import { globSync } from "node:fs";
import { root } from "../child.mjs";
import { withPicture } from "./picture.ts";

const MAX_WORDS = 900;

/** Returns the folders below `contract/`, `server/` and `web/`, with `/`. */
export const productFolders = (cwd = root): string[] =>
  globSync("{contract,server,web}/**/", { cwd }).map((path) => path.replaceAll("\\", "/").replace(/\/$/, ""));

/** Parses an indented tree: two spaces per level; several folders of a level may share a line. */
function foldersOfTree(tree: string): string[] {
  const folders: string[] = [];
  const parents: string[] = [];
  for (const line of tree.split("\n")) {
    const level = line.search(/\S/) / 2;
    for (const name of line
      .match(/^ *((\S+\/ *)+)/)?.[1]
      ?.trim()
      .split(/\/ */)
      .filter(Boolean) ?? []) {
      parents.splice(level, Number.POSITIVE_INFINITY, name);
      folders.push(parents.join("/"));
    }
  }
  return folders;
}

/** Returns a sentence for each folder that the tree lacks or that does not exist, and for a page that is too long. */
export function architectureProblems(text: string, folders: readonly string[]): string[] {
  const drawn = foldersOfTree(text.match(/```text\n([\s\S]*?)```/)?.[1] ?? "");
  const isOfProduct = (folder: string) => /^(contract|server|web)\//.test(folder);
  const words = withPicture(text, "").match(/\S+/g)?.length ?? 0;
  return [
    ...folders
      .filter((folder) => !drawn.includes(folder))
      .map((folder) => `ARCHITECTURE.md lacks the folder ${folder}.`),
    ...drawn
      .filter((folder) => isOfProduct(folder) && !folders.includes(folder))
      .map((folder) => `ARCHITECTURE.md has a folder that does not exist: ${folder}.`),
    ...(words > MAX_WORDS ? [`ARCHITECTURE.md has ${words} words, of ${MAX_WORDS} allowed.`] : []),
  ];
}
