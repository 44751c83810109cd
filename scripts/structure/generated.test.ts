import { expect, test } from "vitest";
import { importOverrides, withImportOverrides } from "./biome-imports.ts";
import { importCases } from "./import-cases.ts";
import { pictureOf, withPicture } from "./picture.ts";
import type { ZoneTable } from "./zone-table.ts";

const table: ZoneTable = {
  roots: [
    {
      folder: "web",
      zones: [
        { name: "log", path: "web/app/log.ts", imports: [], reason: "It writes." },
        { name: "ui", path: "web/ui", imports: ["log"], reason: "Components." },
        { name: "presets", path: "web/presets", imports: ["log", "ui"], reason: "Presets." },
        { name: "chats", path: "web/chats", imports: ["log", "ui"], reason: "Chats." },
        { name: "app", path: "web/app", imports: "above", reason: "Pages." },
      ],
      roots: ["contract"],
      never: ["server"],
      neverInTests: ["server"],
      reason: "No server.",
      testsImport: "their zone's",
    },
  ],
  packages: [{ in: ["web"], packages: ["pg"], except: ["*-store.ts"], inTests: false, reason: "Only stores." }],
  otherRoots: [],
};

const folders = ["contract/presets", "web/app", "web/ui", "web/presets", "web/chats", "web/chats/presets"];

test("an override of Biome lists the forbidden imports of a zone, except files and folders of other zones", () => {
  const chats = importOverrides(table, folders).find(({ includes }) => includes?.includes("web/chats/**"));
  expect(chats?.linter?.rules?.style?.noRestrictedImports).toEqual({
    level: "error",
    options: {
      patterns: [
        { group: ["**/server/**"], message: "No server." },
        {
          group: [
            "**/presets/**",
            "**/app/**",
            "!**/app/log.ts",
            "!./presets/**",
            "!../presets/**",
            "!#contract/**",
            "!@*/**",
          ],
          message: 'Chats. (Zone "chats" of scripts/zones.ts.)',
        },
        { group: ["pg"], message: "Only stores." },
      ],
    },
  });
});

test("stores have their own override of Biome, without the rule that excepts them", () => {
  const stores = importOverrides(table, folders).find(({ includes }) => includes?.includes("web/chats/**/*-store.ts"));
  expect(JSON.stringify(stores)).not.toContain("Only stores.");
});

test("handwritten overrides of Biome stay first, and generated ones are replaced", () => {
  const byHand = { includes: ["a"], linter: { rules: { style: {} } } };
  const earlier = { includes: ["b"], linter: { rules: { style: { noRestrictedImports: "error" } } } };
  const settings = { linter: {}, overrides: [earlier, byHand] };
  expect(JSON.parse(withImportOverrides(JSON.stringify(settings), [{ includes: ["c"] }]))).toEqual({
    linter: {},
    overrides: [byHand, { includes: ["c"] }],
  });
});

test("the picture omits transitive arrows and zones of single files", () => {
  const picture = pictureOf(table);
  expect(picture).toContain(
    ["graph TD", "    presets --> ui", "    chats --> ui", "    app --> presets", "    app --> chats", "```"].join(
      "\n",
    ),
  );
  expect(withPicture(`before\n${picture}\nafter`, picture)).toBe(`before\n${picture}\nafter`);
  expect(() => withPicture("no markers", picture)).toThrow("lacks the comments");
});

test("the canary's cases break each rule of a zone and use its allowed imports", () => {
  const cases = importCases(table, folders).filter(({ path }) => path.startsWith("web/ui/"));
  expect(cases.map(({ path, text, isForbidden }) => [path, text, isForbidden])).toEqual([
    ["web/ui/canary-zone-0.ts", 'import "../presets/any.ts";', true],
    ["web/ui/canary-zone-1.ts", 'import type { A } from "../chats/any.ts";\nexport type B = A;', true],
    ["web/ui/canary-zone-2.ts", 'export * from "../app/any.ts";', true],
    ["web/ui/canary-allowed.ts", 'import "../app/log.ts";\nimport "#contract/presets/any.ts";', false],
    ["web/ui/canary-0.ts", 'import "pg";', true],
    ["web/ui/canary-0-store.ts", 'import "pg";', false],
    ["web/ui/canary-0.test.ts", 'import "pg";', false],
    ["web/ui/canary-root-0.ts", 'import "../../server/any.ts";', true],
  ]);
});
