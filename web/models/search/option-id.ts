import type { OptionRow } from "./model-sections.ts";

/** Returns the id of an option's element, to which `aria-activedescendant` refers. */
export const optionId = (listId: string, { key }: OptionRow): string => `${listId}-${key}`;
