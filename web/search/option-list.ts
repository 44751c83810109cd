import { useState } from "react";
import type { SearchHit } from "#contract/conversation/search.ts";
import { entryId } from "./entry-list.tsx";
import { type HitGroup, inOrder } from "./hit-groups.ts";
import { hitId } from "./hit-list.tsx";
import { aroundHits, type PaletteEntry } from "./palette-entry.ts";

/**
 * An option of the list. `isHit`: found by the search. `isStale`: found for a query other than the field's.
 * `isDrastic`: must not be chosen by an Enter meant for something else.
 */
type Option = { id: string; isHit: boolean; isStale: boolean; isDrastic: boolean; choose: () => void };

type About = { isBegin: boolean; isStale: boolean; choose: (hit: SearchHit) => void };

/** Returns all options in the order of the list. */
export function optionsOf(
  entries: readonly PaletteEntry[],
  groups: readonly HitGroup[],
  { isBegin, isStale, choose }: About,
): Option[] {
  const entry = (of: PaletteEntry): Option => ({
    id: entryId(of),
    isHit: false,
    isStale: false,
    isDrastic: of.isDrastic === true,
    choose: of.choose,
  });
  const [before, after] = aroundHits(entries, isBegin);
  const hits = inOrder(groups).map((hit) => {
    return { id: hitId(hit), isHit: true, isStale, isDrastic: false, choose: () => choose(hit) };
  });
  return [...before.map(entry), ...hits, ...after.map(entry)];
}

/**
 * Determines the option that Enter chooses: the first that is not drastic, until another is pointed at or stepped to.
 */
export function useActive(options: readonly Option[]) {
  const [pointed, setActive] = useState<string>();
  const active = options.find(({ id }) => id === pointed) ?? options.find(({ isDrastic }) => !isDrastic);
  const move = (step: number) => {
    const index = active ? options.indexOf(active) : -1;
    const next = options[Math.max(0, Math.min(options.length - 1, index + step))];
    if (!next) return;
    setActive(next.id);
    document.getElementById(next.id)?.scrollIntoView({ block: "nearest" });
  };
  return { active, setActive, move };
}
