import type { Rolldown } from "vite";
import { expect, test } from "vitest";
import { pageChunks } from "./page-chunks.ts";

const ICONS = "/node_modules/lucide-react/dist/esm/lucide-react.mjs";

/** Imports of each module; `=>` marks a lazy import. */
const imports: Record<string, string[]> = {
  "/web/main.tsx": ["/web/app/app.tsx", "=>/web/app/device.ts", "/node_modules/react/index.js"],
  "/web/app/device.ts": ["/web/preferences.ts"],
  "/web/app/app.tsx": [
    ...["=>/web/app/chat-page.tsx", "=>/web/app/settings-page.tsx", "=>/web/register.tsx", "/web/log.ts"],
    "=>/web/accounts/sign-in/login-screen.tsx",
  ],
  "/web/app/chat-page.tsx": ["/web/chat.tsx", "/web/day.ts", "/web/log.ts"],
  "/web/chat.tsx": [
    "/web/banner.tsx",
    "/web/list.tsx",
    ICONS,
    "=>/web/markdown/rich-reply.tsx",
    "=>/web/rare.tsx",
    "=>/web/ask.tsx",
  ],
  "/web/rare.tsx": ["/web/list.tsx", "/web/only-rare.tsx"],
  "/web/app/settings-page.tsx": [
    "/web/day.ts",
    "/web/field.tsx",
    "/web/dialog.tsx",
    "/web/advice.tsx",
    "/web/ask.tsx",
    "/web/queries/use-query.ts",
    ICONS,
  ],
  "/web/accounts/sign-in/login-screen.tsx": ["/web/banner.tsx", "/web/field.tsx", "/web/heading.tsx"],
  "/web/register.tsx": ["/web/heading.tsx", "/web/advice.tsx", "/web/ui/after-pointer.ts"],
  "/web/models/model-options.tsx": ["/web/menu.tsx", "/web/list.tsx"],
  "/web/models/search/chat-model-search.tsx": ["/web/models/search/model-search-menu.tsx"],
  "/web/models/search/model-search-menu.tsx": ["/web/menu.tsx", "/web/facts.ts"],
  "/web/chats/person-choices.tsx": ["/web/menu.tsx"],
  "/web/actions/chat-page-actions.tsx": ["/web/appearance.ts", "/web/list.tsx", "/web/preferences.ts"],
  "/web/actions/palette.tsx": ["/web/dialog.tsx"],
  "/web/chats/organise/lazy-organiser.ts": ["/web/dialog.tsx", "/web/menu.tsx"],
  "/web/presets/preset-tools.tsx": ["/web/menu.tsx"],
  "/web/markdown/rich-reply.tsx": ["/web/appearance.ts", "/web/list.tsx", "/node_modules/streamdown/index.js"],
  "/web/scroll/lazy-scroll.ts": ["/web/list.tsx"],
  "/web/conversation/composer/composer-motion.ts": ["/web/timing.ts", "/web/ui/after-pointer.ts"],
  "/web/ui/after-pointer.ts": [],
  "/web/app/administration-page.tsx": ["/web/kinds.ts", "/web/offer.ts", "/web/table.tsx"],
  "/web/administration/become-owner-screen.tsx": ["/web/offer.ts"],
  "/web/settings/activity/own-records.tsx": ["/web/kinds.ts"],
  "/web/actions/administration-choices.ts": ["/web/kinds.ts"],
  "/web/queries/use-query.ts": ["/web/queries/query.ts"],
  "/web/queries/query.ts": ["/web/log.ts"],
};

/** Source of the modules that import icons, and of the index of the icons. */
const code: Record<string, string> = {
  "/web/chat.tsx": 'import { Check, Trash2 as Trash } from "lucide-react";',
  "/web/app/settings-page.tsx": 'import { Check } from "lucide-react";',
  [ICONS]: `export { default as Check, default as CheckIcon } from './icons/check.mjs';
    export { default as Trash2 } from './icons/trash.mjs';`,
};

const infoOf = (found: string[] | undefined, id: string) => {
  const [later, atOnce] = [true, false].map((isLater) =>
    (found ?? []).filter((one) => one.startsWith("=>") === isLater).map((one) => one.replace("=>", "")),
  );
  return { importedIds: atOnce, dynamicallyImportedIds: later, code: code[id] ?? null } as Rolldown.ModuleInfo;
};

/** Names of the groups that take a module, by precedence. */
function namesOf(id: string, known = imports) {
  const getModuleInfo = (one: string) =>
    one in known || one.includes("node_modules") ? infoOf(known[one], one) : null;
  const context = { getModuleInfo } as Rolldown.ChunkingContext;
  const groups = pageChunks("/web").toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0));
  return groups.flatMap(({ name }) => (typeof name === "function" ? (name(id, context) ?? []) : []));
}

test.each([
  ["what all pages load", "start", ["/web/main.tsx", "/web/app/app.tsx", "/web/log.ts"]],
  ["what the chat shares with pages before sign-in", "start", ["/web/banner.tsx"]],
  ["what the composer shares with forms", "start", ["/web/ui/after-pointer.ts"]],
  ["what idle pages and tools of the chat load", "device", ["/web/app/device.ts", "/web/preferences.ts"]],
  ["what the chat shares with settings", "dialogs", ["/web/day.ts"]],
  ["the rest of the chat", "chat", ["/web/app/chat-page.tsx", "/web/chat.tsx", "/web/list.tsx"]],
  ["the composer's motion", "composer-motion", ["/web/conversation/composer/composer-motion.ts", "/web/timing.ts"]],
  ["what settings share with sign-in", "fields", ["/web/field.tsx"]],
  ["what settings share with other pages before sign-in", "passwords", ["/web/advice.tsx"]],
  ["what settings share with tools of the chat", "overlays", ["/web/dialog.tsx", "/web/ask.tsx"]],
  ["what notices share with settings", "query", ["/web/queries/use-query.ts", "/web/queries/query.ts"]],
  ["sign-in", "login-screen", ["/web/accounts/sign-in/login-screen.tsx", "/web/heading.tsx"]],
  ["menus", "menus", ["/web/models/model-options.tsx", "/web/chats/person-choices.tsx", "/web/menu.tsx"]],
  ["the long list of models", "model-search", ["/web/models/search/model-search-menu.tsx", "/web/facts.ts"]],
  ["what Markdown shares with tools of the chat", "reading", ["/web/appearance.ts"]],
  ["what administration shares with records and the palette", "administration-words", ["/web/kinds.ts"]],
  ["what the pages of administration share", "administration-words", ["/web/offer.ts"]],
  ["an icon of the chat and of settings", "dialogs", ["/node_modules/lucide-react/dist/esm/icons/check.mjs"]],
  ["an icon of the chat alone", "chat", ["/node_modules/lucide-react/dist/esm/icons/trash.mjs"]],
  ["packages that every page needs", "every-page", ["/node_modules/react/index.js", "/node_modules/zod/mini.js"]],
])("the modules of “%s” are one chunk: %s", (_what, name, ids) => {
  for (const id of ids) expect(namesOf(id), id).toEqual([name]);
});

test("leaves lazy modules outside its list, and packages of one chunk, to the bundler", () => {
  for (const id of [
    "/web/table.tsx",
    "/web/rare.tsx",
    "/web/only-rare.tsx",
    "/web/register.tsx",
    "/node_modules/streamdown/index.js",
  ]) {
    expect(namesOf(id), id).toEqual([]);
  }
});

test("the build fails for an entry that was moved, whose chunk would fall apart unnoticed", () => {
  const { "/web/actions/palette.tsx": _, ...fewer } = imports;
  expect(() => namesOf("/web/chat.tsx", fewer)).toThrow("actions/palette.tsx is not in the build");
});
