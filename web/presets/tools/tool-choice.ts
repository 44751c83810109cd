import type { ListedToolGroup, ToolServer } from "#contract/conversation/tools.ts";
import { isDemo } from "../../models/model-name.ts";
import { type PresetSession, presetChoiceOf, selectPresetId, selectTools } from "../preset-choice.ts";
import { toolGroupsQuery } from "./tool-groups-query.ts";

/** Group of the tools that search the web and read its pages. */
export const WEB_TOOLS = "web";

/**
 * A group of tools in a chat. A chosen one that `isMissing` cannot be used now: models do not receive it. `server`: absent
 * for a group of Parley.
 */
export type ChosenTools = { slug: string; isChosen: boolean; isMissing: boolean; server?: ToolServer };

/**
 * Returns the groups that the chat on the screen can use, and those chosen in it. Empty until the groups and the preset
 * of the chat were read, and while only the demo assistant answers, which uses none.
 */
export function toolChoiceOf({ store, presets, modelChoice }: PresetSession): ChosenTools[] {
  const groups = toolGroupsQuery.state.get().value?.groups;
  if (!groups || isDemo(modelChoice.current().groups)) return [];
  const root = store.getState();
  const presetId = selectPresetId(root);
  const own = selectTools(root);
  // A switch would store a choice without the tools of the preset, which are not known yet.
  if (own === null && presetId !== null && presets.isMissing()) return [];
  const chosen = own ?? presets.current().find(({ id }) => id === presetId)?.tools ?? [];
  return listTools(groups, chosen);
}

/** Lists the groups that can be used, and chosen ones that cannot. */
export function listTools(available: readonly ListedToolGroup[], chosen: readonly string[]): ChosenTools[] {
  const slugs = available.map(({ slug }) => slug);
  return [
    ...available.map((group) => ({ ...group, isChosen: chosen.includes(group.slug), isMissing: false })),
    ...chosen.flatMap((slug) => (slugs.includes(slug) ? [] : [{ slug, isChosen: true, isMissing: true }])),
  ];
}

/** Switches a group of tools of the chat on the screen on or off. */
export function switchTools(session: PresetSession, slug: string): void {
  presetChoiceOf(session).change({ tools: withSwitched(toolChoiceOf(session), slug) });
}

/** Returns the slugs of the chosen groups after one of them is switched. */
export const withSwitched = (groups: readonly ChosenTools[], slug: string): string[] =>
  groups.filter((group) => group.isChosen !== (group.slug === slug)).map((group) => group.slug);
