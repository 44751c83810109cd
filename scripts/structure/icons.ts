// One icon, one meaning: each icon of `web/` has one row in the table of web/ui/icons.md.
import type { SourceFile } from "./source-files.ts";

const IMPORT = /import \{([^}]*)\} from "lucide-react"/g;

/** Returns the names of the icons that a file imports; types are no icons. */
const iconsIn = (text: string): string[] =>
  [...text.matchAll(IMPORT)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/ as .*/, ""))
      .filter((name) => name !== "" && !name.startsWith("type ")),
  );

/** Returns the cells of the rows whose first cell is the name of an icon. */
const rowsOf = (table: string) =>
  [...table.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, icon = "", meaning = ""]) => ({ icon, meaning }));

const repeated = (values: readonly string[]) => [...new Set(values.filter((each, at) => values.indexOf(each) !== at))];

/** Returns a sentence for each icon without a row, row without an icon, and icon or meaning with several rows. */
export function iconProblems(table: string, files: readonly SourceFile[]): string[] {
  const rows = rowsOf(table);
  const named = rows.map(({ icon }) => icon);
  const used = new Set(
    files.filter(({ path, isTest }) => path.startsWith("web/") && !isTest).flatMap(({ text }) => iconsIn(text)),
  );
  return [
    ...[...used].filter((icon) => !named.includes(icon)).map((icon) => `web/ui/icons.md lacks the icon ${icon}.`),
    ...named.filter((icon) => !used.has(icon)).map((icon) => `web/ui/icons.md has an unused icon: ${icon}.`),
    ...repeated(named).map((icon) => `web/ui/icons.md has several rows for the icon ${icon}.`),
    ...repeated(rows.map(({ meaning }) => meaning)).map((each) => `web/ui/icons.md has several icons for "${each}".`),
  ];
}
