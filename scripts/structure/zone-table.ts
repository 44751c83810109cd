/** A section of a root with its own import rules. A file belongs to the zone with the most specific path. */
export type Zone = {
  /** Unique within its root. */
  name: string;
  /** A folder (with its subfolders), `folder/*` (files directly in it) or a file; several paths share the rules. */
  path: string | readonly string[];
  /** Names of the zones of this root that it may import besides itself; `above`: all listed above it. */
  imports: readonly string[] | "above";
  /** Whether only tests, of all zones, may import it. */
  isForTests?: boolean;
  /** Short reason, which the check prints. */
  reason: string;
};

/** Forbidden imports of packages and of Node's modules. Patterns as in .gitignore. */
export type PackageRule = {
  /** Folders or files for which the rule holds. */
  in: readonly string[];
  packages: readonly string[];
  /** Folders, files or patterns of file names (`*-store.ts`) to which it does not apply. */
  except?: readonly string[];
  /** Whether it applies to tests. */
  inTests: boolean;
  reason: string;
};

export type Root = {
  folder: "contract" | "server" | "web";
  zones: readonly Zone[];
  /** Other roots that it may import. */
  roots: readonly string[];
  /** Roots that its tests must not import; they may import any other. */
  neverInTests: readonly string[];
  /** Folders of these roots that its tests may import nevertheless: they hold texts, without code of Node. */
  testsMayImport?: readonly string[];
  /** Reason of a forbidden import of another root. */
  reason: string;
  /** Whether a test may import every zone of its root, or only the zones that its own zone may import. */
  testsImport: "every zone" | "their zone's";
};

export type ZoneTable = {
  roots: readonly Root[];
  packages: readonly PackageRule[];
  /** Rules of roots without zones. */
  otherRoots: readonly { folders: readonly string[]; never: readonly string[]; reason: string }[];
};
