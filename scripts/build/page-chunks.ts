import type { Rolldown } from "vite";

/** Entries of the page and of its lazy modules, as paths in `web/`. */
const MAIN = "main.tsx";
const APP = "app/app.tsx";
/** Loaded by every page once it is idle. */
const DEVICE = "app/device.ts";
const CHAT = "app/chat-page.tsx";
const SETTINGS = "app/settings-page.tsx";
/** Few people open them, so nothing else waits for their modules. */
const ADMINISTRATION_PAGE = "app/administration-page.tsx";
const BECOME_OWNER = "administration/become-owner-screen.tsx";
const ADMINISTRATION = [ADMINISTRATION_PAGE, BECOME_OWNER];
/** Behind the sign-in, as the chat and the settings are. */
const TOOL_RETURN = "settings/tool-return/tool-return-screen.tsx";
/** Lazy modules that name records and pages of the administration elsewhere. */
const ADMINISTRATION_NAMES = ["settings/activity/own-records.tsx", "actions/administration-choices.ts"];
const LOGIN = "accounts/sign-in/login-screen.tsx";
/** Small, and shared by the composer and the forms. */
const AFTER_POINTER = "ui/after-pointer.ts";
const MOTION = "conversation/composer/composer-motion.ts";
const MENUS = ["models/model-options.tsx", "chats/person-choices.tsx"];
/** The list that replaces the menu of models if it is long. */
const MODEL_SEARCH = ["models/search/chat-model-search.tsx", "models/search/model-search-menu.tsx"];
const PRESETS = "presets/preset-tools.tsx";
const ACTIONS = "actions/chat-page-actions.tsx";
const PALETTE = "actions/palette.tsx";
const ORGANISER = "chats/organise/lazy-organiser.ts";
/** Lazy modules that the chat page always loads. */
const TOOLS = [PRESETS, ACTIONS, PALETTE, ORGANISER];
const MARKDOWN = "markdown/rich-reply.tsx";
/** Shared by the notices, which every page loads, and the settings. */
const QUERIES = ["queries/use-query.ts", "queries/query.ts"];
const SCROLL = "scroll/lazy-scroll.ts";
/** Lazy modules that the chat page preloads, except Markdown. */
const OF_CHAT = "lazy modules of the chat";
/** All pages except those behind the sign-in. */
const OTHER_PAGES = "other pages";
/** The pages of the settings. */
const SECTIONS = "sections of the settings";

type Entries = readonly string[];

/**
 * A chunk. `by`, `orBy`: contains our modules that at least one entry of each set imports statically. `packages`:
 * contains these packages.
 */
type Piece = { name: string; by?: readonly Entries[]; orBy?: readonly Entries[]; packages?: RegExp };

/**
 * Chunks in order of precedence: a module belongs to the first that matches. The imports of a module match with it, so
 * a chunk imports only earlier ones.
 */
const pieces: readonly Piece[] = [
  // Smaller than several chunks, and cached over our releases.
  { name: "every-page", packages: /^(react|react-dom|scheduler|react-router|i18next|react-i18next|zod|clsx)$/ },
  // What pages on both sides of the sign-in share is small.
  {
    name: "start",
    by: [[MAIN, AFTER_POINTER]],
    orBy: [[CHAT, PALETTE], [OTHER_PAGES]],
  },
  { name: "device", by: [[DEVICE]] },
  { name: "dialogs", by: [[CHAT], [SETTINGS]] },
  { name: "chat", by: [[CHAT]] },
  { name: "composer-motion", by: [[MOTION]] },
  { name: "fields", by: [[LOGIN], [SETTINGS, SECTIONS]] },
  { name: "passwords", by: [[OTHER_PAGES], [SETTINGS]] },
  { name: "query", by: [QUERIES] },
  {
    name: "overlays",
    by: [[SETTINGS], [OF_CHAT, PALETTE]],
    orBy: [[ACTIONS], MENUS],
    // Packages that both dialogs and menus need.
    packages:
      /^(@radix-ui\/(primitive|react-(dismissable-layer|focus-scope|focus-guards|presence|portal|id|slot|context|use-controllable-state))|react-remove-scroll|aria-hidden)$/,
  },
  { name: "settings-page", by: [[SETTINGS]] },
  { name: "login-screen", by: [[LOGIN]] },
  { name: "menus", by: [MENUS] },
  // The icons that the list shares with the tools: else the settings would load the tools for them.
  { name: "model-signs", by: [MODEL_SEARCH, TOOLS] },
  { name: "model-search", by: [MODEL_SEARCH] },
  { name: "reading", by: [[MARKDOWN], [...TOOLS, SCROLL]] },
  { name: "scroll", by: [[SCROLL]] },
  { name: "actions", by: [[ACTIONS]], orBy: [[PALETTE], [OF_CHAT]] },
  { name: "organiser", by: [[ORGANISER]] },
  { name: "palette", by: [[PALETTE]] },
  { name: "markdown", by: [[MARKDOWN]] },
  {
    name: "administration-words",
    by: [ADMINISTRATION, ADMINISTRATION_NAMES],
    orBy: [[ADMINISTRATION_PAGE], [BECOME_OWNER]],
  },
];

/**
 * Code-splitting groups for the modules that load together. Without them the bundler makes a chunk for each set of
 * entries that share a module: dozens of files below 1 kB, each with its response headers, and less compressible.
 * @param web path of the folder `web/`
 */
export function pageChunks(web: string): Rolldown.CodeSplittingGroup[] {
  let names: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, context: Rolldown.ChunkingContext) => {
    names ??= namesOfModules(web, (module) => context.getModuleInfo(module));
    return names.get(id) ?? pieces.find(({ packages }) => packages?.test(packageOf(id)))?.name;
  };
  // Further packages that a group's modules import join it, unless they belong to an earlier group.
  return pieces.map(({ name }, at) => ({
    name: (id, context) => (nameOf(id, context) === name ? name : null),
    debugName: name,
    priority: pieces.length - at,
  }));
}

const packageOf = (id: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? "";

/** Name of the chunk of each of our modules and each icon that belongs to one. */
function namesOfModules(web: string, infoOf: Rolldown.GetModuleInfo): Map<string, string> {
  const importsOf = importReader(infoOf);
  const lazyImportsOf = (entry: string) => infoOf(`${web}/${entry}`)?.dynamicallyImportedIds ?? [];
  const idsOf = (entry: string) => {
    if (entry === OF_CHAT) {
      const chat = reachedFrom([`${web}/${CHAT}`], importsOf);
      return [...chat].flatMap((id) => infoOf(id)?.dynamicallyImportedIds ?? []).filter((id) => !id.endsWith(MARKDOWN));
    }
    if (entry === SECTIONS) return lazyImportsOf(SETTINGS);
    if (entry === OTHER_PAGES) {
      return lazyImportsOf(APP).filter(
        (page) => ![CHAT, SETTINGS, TOOL_RETURN, ...ADMINISTRATION].some((one) => page === `${web}/${one}`),
      );
    }
    const id = `${web}/${entry}`;
    if (!infoOf(id)) throw new Error(`${entry} is not in the build, so its chunk cannot be made`);
    return [id];
  };
  const names = new Map<string, string>();
  const nameAll = (name: string, sets: readonly Entries[]) => {
    const reached = sets.map((set) => reachedFrom(set.flatMap(idsOf), importsOf));
    for (const id of reached[0] ?? []) {
      if (!names.has(id) && reached.every((one) => one.has(id))) names.set(id, name);
    }
  };
  for (const { name, by = [], orBy = [] } of pieces) {
    nameAll(name, by);
    nameAll(name, orBy);
  }
  return names;
}

/** Returns the modules and their transitive static imports. */
function reachedFrom(starts: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set(starts);
  for (const id of found) for (const next of importsOf(id)) found.add(next);
  return found;
}

const ICON_INDEX = /\/lucide-react\.mjs$/;
const ICON_IMPORTS = /\bimport\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;

/**
 * Returns a function that lists the static imports of a module: our modules, and the icons that it imports by name.
 * The index of the icons imports all of them; the bundler removes the unused ones only after it has made the chunks.
 */
function importReader(infoOf: Rolldown.GetModuleInfo): (id: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const files = new Map<string, string>();
  const readImports = (id: string) => {
    const { importedIds = [], code } = infoOf(id) ?? {};
    const index = importedIds.find((next) => ICON_INDEX.test(next));
    if (index && files.size === 0) for (const [icon, file] of iconFiles(index, infoOf)) files.set(icon, file);
    const named = index ? [...(code ?? "").matchAll(ICON_IMPORTS)].flatMap(([, names = ""]) => names.split(",")) : [];
    const icons = named.flatMap((name) => files.get(name.trim().split(/\s/)[0] ?? "") ?? []);
    return [...importedIds.filter((next) => !/node_modules|^\0/.test(next)), ...icons];
  };
  return (id) => {
    const imports = known.get(id) ?? readImports(id);
    known.set(id, imports);
    return imports;
  };
}

/** Module id of each icon, by the names that the index gives it. */
function iconFiles(index: string, infoOf: Rolldown.GetModuleInfo): [string, string][] {
  const exported = (infoOf(index)?.code ?? "").matchAll(/\{([^}]*)\}\s*from\s*["']\.(\/[^"']+)["']/g);
  return [...exported].flatMap(([, names = "", file = ""]) =>
    [...names.matchAll(/\bas (\w+)/g)].map(([, name = ""]): [string, string] => [
      name,
      index.replace(ICON_INDEX, file),
    ]),
  );
}
