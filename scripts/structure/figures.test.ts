import { expect, test } from "vitest";
import { figuresOf } from "./figures.ts";
import { parseSourceFile } from "./source-files.ts";

const files = [
  parseSourceFile("web/a/short.ts", "export const short = 1;"),
  parseSourceFile("web/a/lazy.ts", "export const lazy = 1;"),
  parseSourceFile("web/a/tested.ts", "export const tested = 1;"),
  parseSourceFile("web/a/shared.ts", 'import "../b/deep/c.ts";\nexport const shared = 1;'),
  parseSourceFile(
    "web/a/page.tsx",
    'import "./short.ts";\nimport "./tested.ts";\nimport "./shared.ts";\nexport const lazily = () => import("./lazy.ts");\n' +
      'export const found = document.body.querySelector("a")?.closest("p");\n',
  ),
  parseSourceFile("web/a/tested.test.ts", 'import "./tested.ts";\ndocument.querySelector("a");'),
  parseSourceFile(
    "web/b/state.ts",
    'import "../a/shared.ts";\nconst listeners = new Set<() => void>();\nconst names: Set<string> = new Set();\n' +
      'const loads = new Set<() => Promise<void>>();\nexport const state = [listeners, names, loads, localStorage.getItem("a")];\n',
  ),
  parseSourceFile("web/b/browser-storage.ts", 'export const text = localStorage.getItem("querySelector");'),
  parseSourceFile("web/b/deep/c.ts", "export const short = 2;"),
];

test("computes the figures of a root folder", () => {
  expect(figuresOf("web", files)).toEqual({
    root: "web",
    files: 8,
    meanLines: 2,
    longestFile: { path: "web/a/page.tsx", lines: 5 },
    longFiles: [],
    largestFolders: [
      { path: "web/a", files: 5 },
      { path: "web/b", files: 2 },
      { path: "web/b/deep", files: 1 },
    ],
    fileCycles: [],
    folderCycles: [["web/a", "web/b", "web/a"]],
    dust: ["web/a/short.ts"],
    doubleExports: ["short"],
    nearNames: [],
    domQueries: [{ path: "web/a/page.tsx", count: 2 }],
    storageUses: [{ path: "web/b/state.ts", count: 1 }],
    listenerSets: [{ path: "web/b/state.ts", count: 1 }],
  });
});
