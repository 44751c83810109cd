import type { Rolldown } from "vite";
import { expect, test } from "vitest";
import { pageChunks } from "./page-chunks.ts";

/** Imports of each module; `=>` marks a lazy import. */
const imports: Record<string, string[]> = {
  "/web/main.tsx": ["/web/app/app.tsx", "/node_modules/react.js"],
  "/web/app/app.tsx": ["=>/web/app/chat-page.tsx", "=>/web/app/settings-page.tsx", "=>/web/login.tsx", "/web/log.ts"],
  "/web/app/chat-page.tsx": ["/web/chat.tsx", "/web/dialog.tsx", "/web/log.ts"],
  "/web/chat.tsx": ["/web/banner.tsx", "/web/list.tsx", "=>/web/later.tsx"],
  "/web/later.tsx": ["/web/list.tsx", "/web/rare.tsx"],
  "/web/app/settings-page.tsx": ["/web/dialog.tsx", "/web/section.tsx"],
  "/web/login.tsx": ["/web/banner.tsx"],
};

function getModuleInfo(id: string) {
  const [later, atOnce] = [true, false].map((isLater) =>
    (imports[id] ?? []).filter((one) => one.startsWith("=>") === isLater).map((one) => one.replace("=>", "")),
  );
  return { importedIds: atOnce, dynamicallyImportedIds: later } as Rolldown.ModuleInfo;
}

const context = { getModuleInfo } as Rolldown.ChunkingContext;

test("groups the static imports of the chat page by the pages that share them, and no other module", () => {
  const groups = pageChunks("/web");
  const pieceOf = (id: string) =>
    groups.flatMap(({ name }) => (typeof name === "function" ? (name(id, context) ?? []) : []));
  expect(pieceOf("/web/log.ts")).toEqual(["start"]);
  expect(pieceOf("/web/banner.tsx")).toEqual(["forms"]);
  expect(pieceOf("/web/dialog.tsx")).toEqual(["dialogs"]);
  for (const id of ["/web/app/chat-page.tsx", "/web/chat.tsx", "/web/list.tsx"]) expect(pieceOf(id)).toEqual(["chat"]);
  for (const id of [
    "/web/later.tsx",
    "/web/rare.tsx",
    "/web/section.tsx",
    "/web/login.tsx",
    "/node_modules/react.js",
  ]) {
    expect(pieceOf(id)).toEqual([]);
  }
});
