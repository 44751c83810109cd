import type { KnownPart, SourcePart } from "#contract/conversation/known-parts.ts";

/** A citation with what is known of its source. `snapshot`: the text of the source, if its call is here. */
export type Citation = SourcePart & { fetchedAt?: number | undefined; snapshot?: string | undefined };

/** Returns the citations among the parts of an answer, with the snapshots in the results of its calls. */
export function citationsOf(known: readonly KnownPart[]): Citation[] {
  return known.flatMap((part): Citation[] => {
    if (part.kind !== "source") return [];
    const call = known.find((other) => other.kind === "tool" && other.seq === part.tool);
    if (call?.kind !== "tool") return [part];
    const source = call.sources?.find(({ number }) => String(number) === part.source);
    if (!source) return [part];
    const snapshot = call.result?.slice(source.from, source.to);
    return [{ ...part, fetchedAt: source.fetchedAt, snapshot: snapshot === "" ? undefined : snapshot }];
  });
}
