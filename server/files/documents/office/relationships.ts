import { posix } from "node:path";
import { attributeOf, scanXml } from "./scan-xml.ts";
import { decodeXml, type ZipEntries } from "./zip-entries.ts";

/** A reference from one file of an office document (OOXML) to another. `type`: last word of its URI; `path`: in the archive. */
export type Relationship = { id: string; type: string; path: string };

/** Returns the references of a file of an office document, by ECMA-376 part 2; "" for those of the document. */
export function relationshipsOf(entries: ZipEntries, path: string): Relationship[] {
  const { dir, base } = posix.parse(path);
  const bytes = entries.get(posix.join(dir, "_rels", `${base}.rels`));
  const relationships: Relationship[] = [];
  if (!bytes) return relationships;
  scanXml(decodeXml(bytes), {
    open(name, attributes) {
      if (!name.endsWith("Relationship") || attributeOf(attributes, "TargetMode") === "External") return;
      const [id = "", type = "", target = ""] = ["Id", "Type", "Target"].map((key) => attributeOf(attributes, key));
      // An absolute target begins at the root of the archive, and the archive's names have no slash there.
      const inArchive = posix.resolve("/", dir, target).slice(1);
      relationships.push({ id, type: type.slice(type.lastIndexOf("/") + 1), path: inArchive });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return relationships;
}

/** Returns the path of the main file of an office document. */
export function mainPathOf(entries: ZipEntries, usual: string): string {
  return relationshipsOf(entries, "").find(({ type }) => type === "officeDocument")?.path ?? usual;
}
