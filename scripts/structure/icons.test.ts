import { expect, test } from "vitest";
import { iconProblems } from "./icons.ts";
import { parseSourceFile } from "./source-files.ts";

const file = parseSourceFile(
  "web/a/b.tsx",
  'import { Folder as FolderIcon, type LucideIcon, X } from "lucide-react";\nexport const a: LucideIcon = X ?? FolderIcon;',
);

test("a table of icons with one row for each has no problems", () => {
  expect(iconProblems("| `Folder` | folder |\n| `X` | closes |\n", [file])).toEqual([]);
});

test("missing, unused and repeated rows in the table of icons are reported", () => {
  const table = "| `X` | closes |\n| `X` | removes |\n| `Check` | closes |\n";
  expect(iconProblems(table, [file])).toEqual([
    "web/ui/icons.md lacks the icon Folder.",
    "web/ui/icons.md has an unused icon: Check.",
    "web/ui/icons.md has several rows for the icon X.",
    'web/ui/icons.md has several icons for "closes".',
  ]);
});
