import type { Rolldown } from "vite";

/** In the order in which they take what they need. */
const PIECES = ["start", "forms", "dialogs", "chat"];

/**
 * Groups for what the chat page loads at once, by who else needs it: each in one piece, with the packages that it rests
 * on. Left to itself the bundler would break them up along what the parts share that come later, and many pieces weigh
 * more than few.
 * @param web the folder of the browser part
 */
export function pageChunks(web: string): Rolldown.CodeSplittingGroup[] {
  let names: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, context: Rolldown.ChunkingContext) => {
    names ??= nameParts(web, (module) => context.getModuleInfo(module));
    return names.get(id);
  };
  // What a piece imports comes along, unless it belongs to one before it.
  return PIECES.map((piece, at) => ({
    name: (id, context) => (nameOf(id, context) === piece ? piece : null),
    debugName: piece,
    priority: PIECES.length - at,
  }));
}

/** The pieces of our own modules that the chat page imports statically. */
function nameParts(web: string, infoOf: Rolldown.GetModuleInfo): Map<string, string> {
  const chat = `${web}/app/chat-page.tsx`;
  const settings = `${web}/app/settings-page.tsx`;
  const pages = infoOf(`${web}/app/app.tsx`)?.dynamicallyImportedIds ?? [];
  if (!pages.includes(chat) || !pages.includes(settings)) throw new Error("A page is not where it is looked for");
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

/** The modules and all of ours that they import statically. */
function reachedFrom(starts: readonly string[], infoOf: Rolldown.GetModuleInfo): Set<string> {
  const found = new Set(starts);
  for (const id of found) {
    for (const next of infoOf(id)?.importedIds ?? []) if (!/node_modules|^\0/.test(next)) found.add(next);
  }
  return found;
}
