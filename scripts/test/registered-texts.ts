import { posix } from "node:path";
import { parseSync } from "vite";

/** Static and lazy imports of a module of `web/`, and the text namespaces that it registers and uses. */
export type TextModule = { imports: string[]; lazyImports: string[]; registered: string[]; used: string[] };

const QUOTED = /"([\w-]+)"/g;
const namesIn = (texts: readonly (string | undefined)[]) =>
  texts.flatMap((text) => [...(text ?? "").matchAll(QUOTED)].map(([, name]) => name ?? ""));

/**
 * Reads a module for {@link missingTexts}: a namespace counts as used in `useTranslation("a")`, `ns: "a"` and keys that
 * begin with it, `"a:key"`.
 * @param path slash-separated, as the imports of other modules resolve to it
 * @param namespaces names that can be used
 */
export function readTextModule(path: string, source: string, namespaces: readonly string[]): TextModule {
  const { module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  const resolve = (request: string) => posix.join(posix.dirname(path), request);
  const isValue = ({ entries }: { entries: { isType: boolean }[] }) =>
    entries.length === 0 || entries.some(({ isType }) => !isType);
  const imports = module.staticImports.filter(isValue).map(({ moduleRequest }) => moduleRequest.value);
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
  );
  const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1));
  // `print:hidden` is also a class.
  const key = new RegExp(`(?<!className=)["\`](${namespaces.join("|")}):[a-zA-Z]`, "g");
  const used = [
    ...namesIn([...source.matchAll(/\buseTranslation\(\s*("[^"]*"|\[[^\]]*\])|\bns: ("\w+")/g)].map(([all]) => all)),
    ...[...source.matchAll(key)].map(([, name]) => name ?? ""),
  ];
  return {
    imports: [...imports, ...exports].map(resolve),
    lazyImports: lazy.map(resolve),
    registered: namesIn([...source.matchAll(/\bregisterTexts\("\w+"/g)].map(([call]) => call)),
    used: [...new Set(used)].filter((name) => namespaces.includes(name)),
  };
}

/**
 * Finds lazy modules that use texts before they are registered. A lazy module can use the texts that its own static
 * imports register, and those that the lazy modules before it register on every path from the entry.
 * @param modules by path
 * @param entry path of the page's entry module
 * @returns e.g. `a/page.tsx: search in a/list.tsx`; the second one is a static import of the lazy module
 */
export function missingTexts(modules: ReadonlyMap<string, TextModule>, entry: string): string[] {
  const closures = new Map([[entry, closureOf(entry, modules)]]);
  const importers = new Map<string, Set<string>>();
  for (const [importer, closure] of closures) {
    for (const lazy of closure.flatMap((path) => modules.get(path)?.lazyImports ?? [])) {
      if (!modules.has(lazy)) continue;
      if (!closures.has(lazy)) closures.set(lazy, closureOf(lazy, modules));
      importers.set(lazy, (importers.get(lazy) ?? new Set()).add(importer));
    }
  }
  const registered = registeredAt(closures, importers, modules);
  return [...closures].flatMap(([lazy, closure]) => {
    const users = new Map(closure.toReversed().flatMap((path) => usesOf(path, modules)));
    return [...users]
      .filter(([name]) => !registered.get(lazy)?.has(name))
      .map(([name, at]) => `${lazy}: ${name} in ${at}`);
  });
}

type Names = ReadonlyMap<string, ReadonlySet<string>>;

/** Computes the greatest fixed point: a lazy module has its own namespaces and those that all its importers have. */
function registeredAt(
  closures: ReadonlyMap<string, readonly string[]>,
  importers: Names,
  modules: ReadonlyMap<string, TextModule>,
): Names {
  const own = new Map(
    [...closures].map(([path, closure]) => [path, closure.flatMap((each) => modules.get(each)?.registered ?? [])]),
  );
  const all = new Set([...own.values()].flat());
  const registered = new Map([...closures.keys()].map((path) => [path, all]));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const path of closures.keys()) {
      const before = [...(importers.get(path) ?? [])];
      const inherited = [...all].filter(
        (name) => before.length > 0 && before.every((each) => registered.get(each)?.has(name)),
      );
      const now = new Set([...inherited, ...(own.get(path) ?? [])]);
      isChanged ||= now.size !== registered.get(path)?.size;
      registered.set(path, now);
    }
  }
  return registered;
}

const usesOf = (path: string, modules: ReadonlyMap<string, TextModule>): [string, string][] =>
  (modules.get(path)?.used ?? []).map((name) => [name, path]);

/** Returns the module with its direct and indirect static imports. */
function closureOf(start: string, modules: ReadonlyMap<string, TextModule>): string[] {
  const found = new Set([start]);
  for (const path of found) for (const next of modules.get(path)?.imports ?? []) if (modules.has(next)) found.add(next);
  return [...found];
}
