/** The page of a link, as it is stored once and shown to each reader. */

import { builtInTools } from "../built-in-tools.ts";
import type { FileKind } from "../files/files.ts";

/**
 * Text, or an element: its name, its attributes and its children. The reader's page allows some names and
 * attributes; {@link PHRASE} is no element of HTML, and stands for a {@link PagePhrase} in the reader's language.
 */
export type PageNode = string | readonly [name: string, attributes: PageAttributes, ...children: PageNode[]];
export type PageAttributes = Readonly<Record<string, string>>;

/** Name of the element that stands for words of the product. Its attribute `key` says which. */
export const PHRASE = "phrase";

/** Words of the product within a page. Attributes beside `key` are their parameters. */
export const pagePhrases = [
  "reasoning",
  "details",
  "diagram",
  "sources",
  "quote-missing",
  "footnotes",
  "tool",
  ...builtInTools,
  "tool-declined",
  "tool-failed",
  "tool-unfinished",
  "tool-unknown",
  "tool-arguments",
  "tool-result",
  "no-tool-run",
  "note",
  "tip",
  "important",
  "warning",
  "caution",
] as const;
export type PagePhrase = (typeof pagePhrases)[number];

/** Values of the attribute `class` of elements of a page. `own-way`: a line with another direction than its list. */
export const pageClasses = [
  "alert",
  "footnotes",
  "own-way",
  "plain",
  "reasoning",
  "tool",
  "notice",
  "sources",
] as const;
export type PageClass = (typeof pageClasses)[number];

/** Why an answer is incomplete. `unfinished`: the snapshot was made before its end. */
export const pageRemarks = ["unfinished", "waiting", "stopped", "failed", "interrupted", "truncated"] as const;
export type PageRemark = (typeof pageRemarks)[number];

/** A file of a message. `position`: its number within the link. `size` in bytes, `width` and `height` in pixels. */
export type PageFile = {
  position: number;
  name: string;
  kind: FileKind;
  size: number;
  width?: number;
  height?: number;
};

/**
 * A message. `model`: name of the model that wrote it. `createdAt`: Unix time in ms. `isSimple`: its text is costly to lay
 * out, and is shown without kerning and marks.
 */
export type PageMessage = {
  role: "user" | "assistant";
  model?: string;
  createdAt: number;
  body: PageNode[];
  files?: PageFile[];
  remark?: PageRemark;
  isSimple?: true;
};

/** `author`: full name of the owner, if the owner has chosen so. `createdAt`: of the snapshot, Unix time in ms. */
export type SharedPage = {
  title: string;
  author?: string;
  createdAt: number;
  messages: PageMessage[];
};

/** Answer to a reader. `product`: name of the installation. */
export type SharedPageAnswer = { product: string; page: SharedPage };
