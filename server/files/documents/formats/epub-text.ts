import { posix } from "node:path";
import { BrokenDocument, EncryptedDocument, MAX_TEXT_CHARS } from "../document-text.ts";
import { attributeOf, scanXml } from "../office/scan-xml.ts";
import { decodeXml, readZip, type ZipEntries } from "../office/zip-entries.ts";
import { htmlText } from "./html-text.ts";

const CONTAINER = "META-INF/container.xml";
const ENCRYPTION = "META-INF/encryption.xml";
const NCX_TYPE = "application/x-dtbncx+xml";

/** A file of a book. `properties`: words that say what it is for. */
type Item = { path: string; type: string; properties: string };
/** `documents`: paths of the documents in their order; `contents`: of the table of contents. */
type Book = { documents: readonly string[]; contents: string | undefined };

/**
 * Returns the text of a book (EPUB 2 and 3): its documents in their order as Markdown. A document without a heading of
 * its own has its title of the table of contents instead.
 * @throws EncryptedDocument if a document of it is encrypted, BrokenDocument, TooComplex
 */
export function epubText(bytes: Uint8Array): string {
  const names = new Set<string>();
  const packages = readZip(bytes, (name) => {
    names.add(name);
    return name === CONTAINER || name === ENCRYPTION || name.endsWith(".opf");
  });
  const { documents, contents } = bookOf(packages, names);
  if (documents.length === 0) throw new BrokenDocument("No documents");
  const encrypted = encryptedPaths(packages);
  if (documents.some((path) => encrypted.has(path))) throw new EncryptedDocument();
  const wanted = new Set([...documents, ...(contents === undefined ? [] : [contents])]);
  const entries = readZip(bytes, (name) => wanted.has(name));
  const titles = titlesOf(entries, contents);
  const blocks: string[] = [];
  for (let at = 0, length = 0; at < documents.length && length <= MAX_TEXT_CHARS; at++) {
    const path = documents[at] ?? "";
    const block = blockOf(entries.get(path), titles.get(path));
    length += block.length;
    if (block !== "") blocks.push(block);
  }
  return blocks.join("\n\n");
}

function blockOf(document: Uint8Array | undefined, title: string | undefined): string {
  const text = document ? htmlText(decodeXml(document)) : "";
  return text === "" || title === undefined || /^#{1,6} /m.test(text) ? text : `# ${title}\n${text}`;
}

/** Returns what a package document says. A book without one has its documents in the order of their names. */
function bookOf(packages: ZipEntries, names: ReadonlySet<string>): Book {
  const path = packagePath(packages) ?? [...packages.keys()].find((name) => name.endsWith(".opf"));
  const bytes = path === undefined ? undefined : packages.get(path);
  if (path !== undefined && bytes) return packageOf(decodeXml(bytes), posix.dirname(path));
  const { compare } = new Intl.Collator("en", { numeric: true });
  return { documents: [...names].filter((name) => /\.x?html?$/i.test(name)).toSorted(compare), contents: undefined };
}

function packagePath(packages: ZipEntries): string | undefined {
  let path: string | undefined;
  forEachTag(packages.get(CONTAINER), (name, attributes) => {
    if (name === "rootfile") path ??= attributeOf(attributes, "full-path");
  });
  return path;
}

function packageOf(xml: string, folder: string): Book {
  const items = new Map<string, Item>();
  const spine: string[] = [];
  forEachTag(xml, (name, attributes) => {
    const [id = "", type = "", properties = ""] = ["id", "media-type", "properties"].map((key) =>
      attributeOf(attributes, key),
    );
    if (name === "item") items.set(id, { path: pathOf(folder, attributeOf(attributes, "href")), type, properties });
    if (name === "itemref") spine.push(attributeOf(attributes, "idref") ?? "");
  });
  const all = [...items.values()];
  const contents =
    all.find(({ properties }) => /\bnav\b/.test(properties)) ?? all.find(({ type }) => type === NCX_TYPE);
  return { documents: spine.flatMap((id) => items.get(id)?.path ?? []), contents: contents?.path };
}

/** Calls back with the local name and the attributes of each tag. */
function forEachTag(xml: Uint8Array | string | undefined, open: (name: string, attributes: string) => void): void {
  if (xml === undefined) return;
  const nothing = () => undefined;
  const handler = { open: (name: string, attributes: string) => open(localName(name), attributes) };
  scanXml(typeof xml === "string" ? xml : decodeXml(xml), { ...handler, close: nothing, text: nothing });
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

/** Returns the path in the archive of an address in a file of a folder, without its fragment. */
function pathOf(folder: string, address = ""): string {
  const path = address.replace(/#.*$/s, "");
  try {
    return posix.join(folder, decodeURIComponent(path));
  } catch {
    return posix.join(folder, path);
  }
}

/** Returns the paths of encrypted files. Fonts are often, without a key that is secret. */
function encryptedPaths(packages: ZipEntries): ReadonlySet<string> {
  const paths = new Set<string>();
  forEachTag(packages.get(ENCRYPTION), (name, attributes) => {
    if (name === "CipherReference") paths.add(pathOf("", attributeOf(attributes, "URI")));
  });
  return paths;
}

/** Returns the first title of each document, by its path, in an NCX or a navigation document. */
function titlesOf(entries: ZipEntries, path: string | undefined): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const bytes = path === undefined ? undefined : entries.get(path);
  if (path === undefined || !bytes) return titles;
  try {
    addTitles(titles, decodeXml(bytes), posix.dirname(path));
  } catch (error) {
    // The documents are readable without the rest of a damaged table.
    if (!(error instanceof BrokenDocument)) throw error;
  }
  return titles;
}

/** @param folder of the file, to which its addresses are relative */
function addTitles(titles: Map<string, string>, xml: string, folder: string): void {
  let [label, target] = ["", ""];
  let [isContents, isLabel] = [false, false];
  const add = () => {
    const title = label.replaceAll(/\s+/g, " ").trim();
    if (title !== "" && target !== "" && isContents && !titles.has(target)) titles.set(target, title);
    [label, target] = ["", ""];
  };
  scanXml(xml, {
    open(name, attributes) {
      const tag = localName(name);
      // Lists of pages and landmarks have titles too.
      if (tag === "navMap" || tag === "nav") isContents = /\btoc\b/.test(attributeOf(attributes, "epub:type") ?? "toc");
      if (tag === "navPoint") add();
      if (tag === "text" || tag === "a") isLabel = true;
      const address = tag === "a" ? "href" : tag === "content" ? "src" : "";
      if (address !== "") target = pathOf(folder, attributeOf(attributes, address));
    },
    close(name) {
      const tag = localName(name);
      if (tag === "text" || tag === "a") isLabel = false;
      if (tag === "a" || tag === "navPoint") add();
      if (tag === "navMap" || tag === "nav") isContents = false;
    },
    text(characters) {
      if (isLabel) label += characters;
    },
  });
}
