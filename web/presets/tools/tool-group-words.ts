import { i18n } from "../../locales/i18n.ts";
import type { ChosenTools } from "./tool-choice.ts";

/** Groups of the server, whose names are translated. */
const GROUPS = ["web", "chats", "basics"] as const;

const find = (slug: string) => GROUPS.find((group) => group === slug);

/** Returns the name of a group in the person's language; of a server's group its slug. */
export function toolGroupName(slug: string): string {
  const group = find(slug);
  return group ? i18n.t(`presets:tools.${group}`) : slug;
}

/** Returns what a group does, or that it cannot be used now; null for a server's group, which has no description. */
export function toolGroupHint({ slug, isMissing }: Pick<ChosenTools, "slug" | "isMissing">): string | null {
  if (isMissing) return i18n.t("presets:tools.away");
  const group = find(slug);
  return group ? i18n.t(`presets:tools.${group}Hint`) : null;
}
