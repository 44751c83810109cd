import { expect, test } from "vitest";
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
      neverInTests: ["server"],
      reason: "No server.",
      testsImport: "their zone's",
    },
  ],
  packages: [{ in: ["web"], packages: ["pg"], except: ["*-store.ts"], inTests: false, reason: "Only stores." }],
  otherRoots: [],
};

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
