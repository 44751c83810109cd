import type { Rolldown } from "vite";

/** Chunk groups in order of precedence: an earlier one takes shared modules. */
const PIECES = ["start", "forms", "dialogs", "chat"];

/**
 * Code-splitting groups for the static imports of the chat page, by the other pages that need them, each with its
 * packages. Without them the bundler splits chunks along the imports of lazy modules, and many chunks weigh more than
 * few.
 * @param web path of the folder `web/`
 */
export function pageChunks(web: string): Rolldown.CodeSplittingGroup[] {
  let names: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, context: Rolldown.ChunkingContext) => {
    names ??= nameParts(web, (module) => context.getModuleInfo(module));
    return names.get(id);
  };
  // The imports of a group's modules join it, unless they belong to an earlier group.
  return PIECES.map((piece, at) => ({
    name: (id, context) => (nameOf(id, context) === piece ? piece : null),
    debugName: piece,
    priority: PIECES.length - at,
  }));
}

/** Group of each of our modules that the chat page imports statically. */
function nameParts(web: string, infoOf: Rolldown.GetModuleInfo): Map<string, string> {
  const chat = `${web}/app/chat-page.tsx`;
  const settings = `${web}/app/settings-page.tsx`;
  const pages = infoOf(`${web}/app/app.tsx`)?.dynamicallyImportedIds ?? [];
  if (!pages.includes(chat) || !pages.includes(settings)) throw new Error("The chunk of a page was not found");
  const start = reachedFrom([`${web}/main.tsx`], infoOf);
  const forms = reachedFrom(
    pages.filter((page) => page !== chat && page !== settings),
    infoOf,
  );
  const dialogs = reachedFrom([settings], infoOf);
  const names = new Map([...start].map((id) => [id, "start"]));
  for (const id of reachedFrom([chat], infoOf)) {
    if (!start.has(id)) names.set(id, forms.has(id) ? "forms" : dialogs.has(id) ? "dialogs" : "chat");
  }
  return names;
}

/** Returns the modules and their transitive static imports, without packages. */
function reachedFrom(starts: readonly string[], infoOf: Rolldown.GetModuleInfo): Set<string> {
  const found = new Set(starts);
  for (const id of found) {
    for (const next of infoOf(id)?.importedIds ?? []) if (!/node_modules|^\0/.test(next)) found.add(next);
  }
  return found;
}
