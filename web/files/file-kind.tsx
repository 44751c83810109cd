import { BookOpen, File, FileCode, FileSpreadsheet, FileText, type LucideIcon, Mail, Presentation } from "lucide-react";
import { fileKindOf, PDF_TYPE } from "#contract/files/files.ts";

/** Whether a file is shown as a picture. */
export const isPicture = ({ type }: { type: string }): boolean => fileKindOf(type) === "picture";

/** Kind of a file in the words of people; a key of `files:kinds`. */
export type ShownKind =
  | ("picture" | "pdf" | "document" | "sheet" | "slides" | "mail")
  | ("book" | "notebook" | "code" | "text" | "other");

/** Parts of media types, the first match decides: those of Office contain the word `document` too. */
const KINDS: readonly [part: string, kind: ShownKind][] = [
  ["spreadsheet", "sheet"],
  ["text/csv", "sheet"],
  ["presentation", "slides"],
  ["wordprocessing", "document"],
  ["opendocument.text", "document"],
  ["application/rtf", "document"],
  ["message/rfc822", "mail"],
  ["application/epub", "book"],
  ["application/x-ipynb", "notebook"],
];

const ENDINGS: Partial<Record<string, ShownKind>> = { eml: "mail", epub: "book", ipynb: "notebook", rtf: "document" };

const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|rs|go|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|r|jl|scala|dart|sh|bash|zsh|ps1|sql|html?|css|scss|vue|svelte|json|ya?ml|toml|xml|ini|gradle|tf|dockerfile|proto|graphql)$/i;

/** Returns the kind of a file by its media type, and for text by the ending of its name. */
export function shownKindOf(type: string, name: string): ShownKind {
  if (fileKindOf(type) === "picture") return "picture";
  if (type === PDF_TYPE) return "pdf";
  const known = KINDS.find(([part]) => type.includes(part));
  if (known) return known[1];
  // Browsers know no type for most of them, before the server has read one.
  const byEnding = ENDINGS[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
  if (byEnding && type === "") return byEnding;
  if (CODE.test(name)) return "code";
  return type.startsWith("text/") || type === "" ? "text" : "other";
}

const icons: Record<ShownKind, LucideIcon> = {
  picture: File,
  pdf: FileText,
  document: FileText,
  sheet: FileSpreadsheet,
  slides: Presentation,
  mail: Mail,
  book: BookOpen,
  notebook: FileCode,
  code: FileCode,
  text: FileText,
  other: File,
};

/** Icon of a kind. A picture has a thumbnail instead, and the icon of any file only without one. */
export function KindIcon({ kind, className }: { kind: ShownKind; className?: string }) {
  const Icon = icons[kind];
  return <Icon aria-hidden="true" className={className} />;
}
