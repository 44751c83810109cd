import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { isComposing } from "../../ui/keys/press.ts";
import { type OwnModels, storedValues } from "../own-models.ts";
import { type OptionRow, type SectionsInput, sectionsOf } from "./model-sections.ts";
import { layOut, type RowLayout } from "./row-layout.ts";
import { addRecent, togglePin } from "./shown-first.ts";
import { useRenderedRows } from "./use-rendered-rows.ts";

export type ModelSearchInput = Pick<SectionsInput, "groups" | "first" | "value"> & {
  /** Stores the pinned models, and has the last used ones. */
  ownModels: OwnModels;
  /** Whether the list fills in a form: a model that is chosen there has not been used. */
  isInForm?: boolean | undefined;
  onChoose: (value: string) => void;
};

/** State of the list, with its actions. */
export type ModelSearch = ReturnType<typeof useModelSearch>;

/** Number of options that Page Up and Page Down skip. */
const PAGE = 8;

/** Keys that move the active option, with their steps. */
const steps: Partial<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Sections of the list, by the query, the pins and the fold. */
function useModelSections({ groups, first, value, ownModels, isInForm }: Omit<ModelSearchInput, "onChoose">) {
  const [query, setQuery] = useState("");
  const [pinned, setPinned] = useState(() => storedValues(ownModels.pinned));
  // A model that is chosen when the list is opened has been used, whichever control chose it.
  const [recent] = useState(() => (isInForm ? storedValues(ownModels.recent) : addRecent(ownModels, value)));
  const [isFoldOpen, setFoldOpen] = useState(() => isNotSetUp(groups, value));
  const sections = useMemo(
    () => sectionsOf({ groups, first, value, pinned, recent, query, isFoldOpen }),
    [groups, first, value, pinned, recent, query, isFoldOpen],
  );
  const pin = (option: OptionRow) => {
    if (option.kind === "model") setPinned(togglePin(ownModels, option.key));
  };
  return { sections, query, setQuery, pin, toggleFold: () => setFoldOpen(!isFoldOpen) };
}

/** Searches models, pins them, and moves through their list by keys; the field or the list keeps the focus. */
export function useModelSearch({ onChoose, ...input }: ModelSearchInput) {
  const { value } = input;
  const { sections, query, setQuery, pin, toggleFold } = useModelSections(input);
  const [metrics] = useState(readMetrics);
  const layout = useMemo(() => layOut(sections, metrics.rem, metrics.isCoarse), [sections, metrics]);
  const options = useMemo(() => sections.flatMap((section) => section.options), [sections]);
  const [pointed, setActive] = useState<string | undefined>(value);
  const active = options.find(({ key }) => key === pointed) ?? options[0];
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, follow } = useRenderedRows(scroller, layout, active?.key);
  const toShow = useRef<{ key: string | undefined } | null>({ key: value });
  useLayoutEffect(() => {
    if (scroller.current && toShow.current) {
      showOption(scroller.current, layout, toShow.current.key);
      follow();
    }
    toShow.current = null;
  });
  const point = (key: string | undefined) => {
    setActive(key);
    toShow.current = { key };
  };

  const search = (next: string) => {
    setQuery(next);
    // The first match, or the chosen model once all are shown again.
    point(next.trim() === "" ? value : undefined);
  };
  const choose = (option: OptionRow) => {
    if (option.kind === "fold") return toggleFold();
    if (option.kind === "model" && !input.isInForm) addRecent(input.ownModels, option.key);
    onChoose(option.key);
  };
  const move = (step: number) => {
    const index = active ? options.indexOf(active) : -1;
    const next = options[Math.max(0, Math.min(options.length - 1, index + step))];
    if (next) point(next.key);
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (event.key === "Enter" && active && event.shiftKey) {
      pin(active);
      point(active.key);
    } else if (event.key === "Enter" && active) choose(active);
    else if (step !== undefined && !event.shiftKey) move(step);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  };
  return {
    query,
    search,
    layout,
    rows,
    active,
    setActive,
    choose,
    pin,
    press,
    scroller,
    follow,
    isCoarse: metrics.isCoarse,
  };
}

/** A chosen model that is not set up must be visible. */
const isNotSetUp = (groups: ModelSearchInput["groups"], value: string): boolean =>
  groups.some(({ models }) => models.some((model) => model.value === value && !model.available && !model.unreachable));

const readMetrics = () => ({
  rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16,
  isCoarse: window.matchMedia("(pointer: coarse)").matches,
});

/** Space that stays visible above an option, with the heading of its section, and below it. In px. */
const ABOVE_PX = 36;
const BELOW_PX = 12;

/** Scrolls as little as needed to show an option, by its position in the layout: it may not be rendered yet. */
function showOption(scroller: HTMLElement, { rows }: RowLayout, key: string | undefined): void {
  const row = rows.find(({ option }) => option?.key === key);
  const { scrollTop, clientHeight } = scroller;
  if (!row) scroller.scrollTop = 0;
  else if (row.top - ABOVE_PX < scrollTop) scroller.scrollTop = row.top - ABOVE_PX;
  else scroller.scrollTop = Math.max(scrollTop, row.top + row.height + BELOW_PX - clientHeight);
}
