import { posix } from "node:path";
import { attributeOf, scanXml } from "./scan-xml.ts";
import { decodeXml, type ZipEntries } from "./zip-entries.ts";

/** A reference from one file of an office document (OOXML) to another. `type`: last word of its URI; `path`: in the archive. */
export type Relationship = { id: string; type: string; path: string };

/** Returns the references of a file of an office document, by ECMA-376 part 2; "" for those of the document. */
export function relationshipsOf(entries: ZipEntries, path: string): Relationship[] {
  const { dir } = posix.parse(path);
  const relationships: Relationship[] = [];
  scanRelationships(entries, path, ({ id, type, target, isExternal }) => {
    // An absolute target begins at the root of the archive, and the archive's names have no slash there.
    const inArchive = posix.resolve("/", dir, target).slice(1);
    if (!isExternal) relationships.push({ id, type: type.slice(type.lastIndexOf("/") + 1), path: inArchive });
  });
  return relationships;
}

/** Returns the addresses outside of a document to which a file of it refers, by the ids of the references. */
export function addressesOf(entries: ZipEntries, path: string): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  scanRelationships(entries, path, ({ id, target, isExternal }) => {
    if (isExternal) addresses.set(id, target);
  });
  return addresses;
}

type Reference = { id: string; type: string; target: string; isExternal: boolean };

function scanRelationships(entries: ZipEntries, path: string, receive: (reference: Reference) => void): void {
  const { dir, base } = posix.parse(path);
  const bytes = entries.get(posix.join(dir, "_rels", `${base}.rels`));
  if (!bytes) return;
  scanXml(decodeXml(bytes), {
    open(name, attributes) {
      if (!name.endsWith("Relationship")) return;
      const [id = "", type = "", target = ""] = ["Id", "Type", "Target"].map((key) => attributeOf(attributes, key));
      receive({ id, type, target, isExternal: attributeOf(attributes, "TargetMode") === "External" });
    },
    close: () => undefined,
    text: () => undefined,
  });
}

/** Returns the path of the main file of an office document. */
export function mainPathOf(entries: ZipEntries, usual: string): string {
  return relationshipsOf(entries, "").find(({ type }) => type === "officeDocument")?.path ?? usual;
}
