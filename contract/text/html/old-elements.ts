/** Elements of old HTML, with the element in whose form they are shown. */
export const oldElements: ReadonlyMap<string, { name: string; align?: "center" }> = new Map<
  string,
  { name: string; align?: "center" }
>([
  ["center", { name: "div", align: "center" }],
  ["font", { name: "span" }],
  ["big", { name: "span" }],
  ["strike", { name: "s" }],
  ["tt", { name: "code" }],
]);

/** The fields of a tree of HTML (hast) that are read and written here. */
type Tree = { type: string; tagName?: string; properties?: object; children?: Tree[] };

/** Replaces the elements of old HTML in a tree. */
export function renameOldElements(tree: Tree): void {
  for (const child of tree.children ?? []) {
    const old = child.tagName === undefined ? undefined : oldElements.get(child.tagName);
    if (old) {
      child.tagName = old.name;
      if (old.align) child.properties = { ...child.properties, align: old.align };
    }
    renameOldElements(child);
  }
}
