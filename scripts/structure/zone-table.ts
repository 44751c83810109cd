/** A part of a root with rules of its own. A file belongs to the zone with the most specific path. */
export type Zone = {
  /** Unique within its root. */
  name: string;
  /** A folder (with all folders below it), `folder/*` (the files directly in it) or one file; several share the rules. */
  path: string | readonly string[];
  /** Names of the zones of this root that it may import besides itself; `above`: all listed above it. */
  imports: readonly string[] | "above";
  /** Whether the tests of all zones may import it, and nothing else may. */
  isForTests?: boolean;
  /** Why, in few words: shown by the editor at a forbidden import. */
  reason: string;
};

/** Imports of packages and of Node's modules that are forbidden. Patterns as in .gitignore. */
export type PackageRule = {
  /** Folders or files for which the rule holds. */
  in: readonly string[];
  packages: readonly string[];
  /** Folders, files or patterns of file names (`*-store.ts`) for which it does not hold. */
  except?: readonly string[];
  /** Whether it holds in tests. */
  inTests: boolean;
  reason: string;
};

export type Root = {
  folder: "contract" | "server" | "web";
  zones: readonly Zone[];
  /** Other roots that it may import. */
  roots: readonly string[];
  /** Roots that it must not import, for Biome, which has no list of all roots. */
  never: readonly string[];
  /** Roots that its tests must not import; they may import any other. */
  neverInTests: readonly string[];
  /** What is said of an import of another root. */
  reason: string;
  /** Whether a test may import every zone of its root, or those of its folder only. */
  testsImport: "every zone" | "their zone's";
};

export type ZoneTable = {
  roots: readonly Root[];
  packages: readonly PackageRule[];
  /** Rules of roots without zones. */
  otherRoots: readonly { folders: readonly string[]; never: readonly string[]; reason: string }[];
};
