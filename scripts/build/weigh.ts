import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { Plugin, Rolldown } from "vite";
import type { Budget } from "./budgets.ts";
import { brotli } from "./precompress.ts";

type Chunk = Pick<Rolldown.OutputChunk, "code" | "fileName" | "imports" | "isEntry" | "moduleIds">;

/** Weight of a step. `kb`: kB of Brotli. `problem`: a sentence if it is over budget or cannot be weighed. */
export type Weight = { name: string; maxKb: number; kb: number; files: string[]; problem?: string };

/** Name of a built file: name, hash of 8 characters, ending. */
const HASHED_NAME = /([\w.-]+)-[\w-]{8}\.(js|css|woff2)\b/g;

/**
 * Replaces the hash in each file name by one of the name alone. A change of any file changes hashes in the files that
 * import it, and with them their compressed size by up to 0.1 kB.
 */
function withStableHashes(code: string): string {
  return code.replace(HASHED_NAME, (_, name: string, ending: string) => {
    const hash = createHash("sha256").update(name).digest("base64url").slice(0, 8);
    return `${name}-${hash}.${ending}`;
  });
}

/** Returns the chunks and their transitive static imports. */
function closure(starts: Chunk[], byFile: Map<string, Chunk>): Set<Chunk> {
  const found = new Set(starts);
  for (const chunk of found) {
    for (const file of chunk.imports) {
      const next = byFile.get(file);
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}

/**
 * Weighs each step of `wanted` in a build's chunks. Equal code has equal weight, whatever the hashes in file names. A source that is not in the build, perhaps because it was renamed,
 * is reported: its budget would always hold.
 */
export async function weighSteps(
  chunks: Chunk[],
  wanted: Budget[],
  toSource: (moduleId: string) => string,
): Promise<Weight[]> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const bySource = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [toSource(id), chunk] as const)));
  const entries = chunks.filter((chunk) => chunk.isEntry);
  const sizes = new Map<Chunk, number>();
  const size = async (chunk: Chunk) => {
    const known = sizes.get(chunk) ?? (await brotli(withStableHashes(chunk.code))).length;
    sizes.set(chunk, known);
    return known;
  };

  const loaded = new Map<string, Set<Chunk>>();
  const weights: Weight[] = [];
  for (const { name, maxKb, sources, after } of wanted) {
    const missing = sources.filter((source) => !bySource.has(source));
    const own = sources.flatMap((source) => bySource.get(source) ?? []);
    const all = closure([...entries, ...own], byFile);
    loaded.set(name, all);
    const before = new Set(after.flatMap((step) => [...(loaded.get(step) ?? [])]));
    const counted = [...all].filter((chunk) => !before.has(chunk));
    let bytes = 0;
    for (const chunk of counted) bytes += await size(chunk);
    const weight: Weight = { name, maxKb, kb: bytes / 1000, files: counted.map((chunk) => chunk.fileName) };
    const problem = problemOf(weight, missing, after);
    weights.push(problem === undefined ? weight : { ...weight, problem });
  }
  return weights;
}

function problemOf({ name, maxKb, kb, files }: Weight, missing: string[], after: string[]): string | undefined {
  if (missing.length > 0) return `${name}: ${missing.join(", ")} is not in the build, so it cannot be weighed`;
  if (after.length > 0 && files.length === 0)
    return `${name}: loaded with ${after.join(" and ")} instead of on its own`;
  if (kb > maxKb) return `${name}: ${kb.toFixed(1)} kB of script, ${maxKb} kB allowed (${files.join(", ")})`;
  return undefined;
}

/** Writes the weight of each step to `report`; `npm test` and `npm run build` fail if a step exceeds its budget. */
export function weigh({ root, report, budgets }: { root: string; report: string; budgets: Budget[] }): Plugin {
  const toSource = (id: string) => relative(root, id.replace(/\?.*$/, "")).split(sep).join("/");
  return {
    name: "parley:weigh",
    apply: "build",
    async writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const weights = await weighSteps(chunks, budgets, toSource);
      await writeFile(report, `${JSON.stringify(weights, null, 2)}\n`);
    },
  };
}
