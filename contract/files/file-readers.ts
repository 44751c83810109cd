/** Which model of automatic choice answers a question with files: one rule for the page and the server. */

import type { ModelOption } from "../models/models.ts";
import { type FileKind, fileKindOf } from "./files.ts";

/** Kinds of files that only some models receive as they are. */
export type NativeKind = Exclude<FileKind, "text">;

/** Facts of a model that decide on the files that it receives. */
type Reader = { images?: boolean | undefined; triesPictures?: true | undefined; pdf?: boolean | undefined };

/** Returns the kinds of files that not every model receives as they are. */
export function nativeKindsOf(files: readonly { type: string }[]): NativeKind[] {
  const kinds = new Set(files.map(({ type }) => fileKindOf(type)));
  return (["picture", "pdf"] as const).filter((kind) => kinds.has(kind));
}

/** Returns whether a model receives files of a kind as they are, or may receive them. */
export function receives(model: Reader, kind: NativeKind): boolean {
  return (kind === "picture" ? (model.images ?? model.triesPictures) : model.pdf) === true;
}

/** Returns how many of the kinds a model receives as they are. */
export function countReceived(model: Reader, kinds: readonly NativeKind[]): number {
  return kinds.filter((kind) => receives(model, kind)).length;
}

/**
 * Orders the candidates of automatic choice for a question: those that receive more kinds of its files come first, and
 * equals keep their order.
 * @param candidates in the order of automatic choice
 * @param kinds of the question's own files
 */
export function orderByFiles<M>(
  candidates: readonly M[],
  kinds: readonly NativeKind[],
  readerOf: (candidate: M) => Reader,
): M[] {
  const count = (candidate: M) => countReceived(readerOf(candidate), kinds);
  return candidates.toSorted((one, other) => count(other) - count(one));
}

/** Returns the listed model that automatic choice asks first for a question with files of these kinds. */
export function firstAutomatic<
  M extends Pick<ModelOption, "available" | "automatic" | "images" | "triesPictures" | "pdf">,
>(models: readonly M[], kinds: readonly NativeKind[]): M | undefined {
  const position = ({ automatic = 0 }: M) => automatic;
  const candidates = models
    .filter(({ available, automatic }) => available && automatic !== undefined)
    .sort((one, other) => position(one) - position(other));
  return orderByFiles(candidates, kinds, (candidate) => candidate)[0];
}
