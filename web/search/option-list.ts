import { useState } from "react";
import type { SearchHit } from "#contract/search.ts";
import { entryId } from "./entry-list.tsx";
import { type HitGroup, inOrder } from "./hit-groups.ts";
import { hitId } from "./hit-list.tsx";
import { aroundHits, type PaletteEntry } from "./palette-entry.ts";

/**
 * What can be chosen. `isHit`: it was found by the search. `isStale`: it was found for other words than those that stand in
 * the field. `isDrastic`: nobody is to do it by the Enter that was meant for something else.
 */
type Option = { id: string; isHit: boolean; isStale: boolean; isDrastic: boolean; choose: () => void };

type About = { isBegin: boolean; isStale: boolean; choose: (hit: SearchHit) => void };

/** All that can be chosen, in the order in which it stands. */
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

/** The option that Enter chooses: the first one that is not drastic, until another one is pointed at or stepped to. */
export function useActive(options: readonly Option[]) {
  const [pointed, setActive] = useState<string>();
  const active = options.find(({ id }) => id === pointed) ?? options.find(({ isDrastic }) => !isDrastic);
  const move = (step: number) => {
    const place = active ? options.indexOf(active) : -1;
    const next = options[Math.max(0, Math.min(options.length - 1, place + step))];
    if (!next) return;
    setActive(next.id);
    document.getElementById(next.id)?.scrollIntoView({ block: "nearest" });
  };
  return { active, setActive, move };
}
