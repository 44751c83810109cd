import { commentLine } from "../marks.ts";
import type { Relationship } from "../relationships.ts";
import { attributeOf, localName, scanAddition } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";

/** Names of the authors of comments by their ids. */
export type Authors = ReadonlyMap<string, string>;

/** Reads the authors of a presentation's comments, of the old form and of conversations. */
export function authorsOf(entries: ZipEntries, related: readonly Relationship[]): Authors {
  const authors = new Map<string, string>();
  for (const { path } of related.filter(({ type }) => type === "commentAuthors" || type === "authors")) {
    scanAddition(decodeXml(entries.get(path) ?? new Uint8Array()), {
      open(name, attributes) {
        if (!["cmAuthor", "author"].includes(localName(name))) return;
        authors.set(attributeOf(attributes, "id") ?? "", attributeOf(attributes, "name") ?? "");
      },
      close: () => undefined,
      text: () => undefined,
    });
  }
  return authors;
}

type Comment = { author: string; words: string };

/** Returns the comments of a slide, below `[Comments]`: a line for each, answers behind what they answer. */
export function slideComments(entries: ZipEntries, related: readonly Relationship[], authors: Authors): string {
  const files = related.filter(({ type }) => type === "comments");
  const comments = files.flatMap(({ path }) => commentsOf(decodeXml(entries.get(path) ?? new Uint8Array())));
  const lines = comments.map(({ author, words }) => commentLine(authors.get(author) ?? "", words));
  const shown = lines.filter((line) => line !== "");
  return shown.length === 0 ? "" : `[Comments]\n${shown.join("\n")}\n`;
}

function commentsOf(xml: string): Comment[] {
  const comments: Comment[] = [];
  /** Where the text of the open element belongs: the text of a comment follows its answers. */
  let [comment, answer]: (Comment | undefined)[] = [];
  let isText = false;
  scanAddition(xml, {
    open(name, attributes) {
      const element = localName(name);
      if (element === "cm" || element === "reply") {
        const found = { author: attributeOf(attributes, "authorId") ?? "", words: "" };
        comments.push(found);
        if (element === "cm") comment = found;
        else answer = found;
      }
      isText = element === "t" || (element === "text" && name !== "a:text");
    },
    close(name) {
      const element = localName(name);
      isText = false;
      const current = answer ?? comment;
      if (element === "reply") answer = undefined;
      else if (element === "cm") comment = undefined;
      else if ((element === "p" || element === "br") && current) current.words += " ";
    },
    text(characters) {
      const current = answer ?? comment;
      if (isText && current) current.words += characters;
    },
  });
  return comments;
}
