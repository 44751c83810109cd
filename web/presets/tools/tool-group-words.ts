import { i18n } from "../../locales/i18n.ts";
import type { ChosenTools } from "./tool-choice.ts";
import { findToolServer } from "./tool-groups-query.ts";

/** Groups of the server, whose names are translated. */
const GROUPS = ["web", "chats", "basics"] as const;

const find = (slug: string) => GROUPS.find((group) => group === slug);

/** Returns the name of a group in the person's language, or that of its server; the slug of a group that is not listed. */
export function toolGroupName(slug: string): string {
  const group = find(slug);
  return group ? i18n.t(`presets:tools.${group}`) : (findToolServer(slug)?.name ?? slug);
}

/** Returns what a group does, or why it cannot be used; null for a server's group, which has no description. */
export function toolGroupHint({ slug, isMissing }: Pick<ChosenTools, "slug" | "isMissing">): string | null {
  const group = find(slug);
  if (isMissing) return i18n.t(group ? "presets:tools.away" : "presets:tools.gone");
  return group ? i18n.t(`presets:tools.${group}Hint`) : null;
}
