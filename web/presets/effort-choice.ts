import { type Effort, efforts } from "#contract/models/effort.ts";
import { AUTO_MODEL, type ModelGroup } from "#contract/models/models.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ModelChoiceState } from "../models/model-choice.ts";
import { findModel, isDemo } from "../models/model-name.ts";
import { type PresetSession, presetChoiceOf, selectEffort, selectPresetId } from "./preset-choice.ts";

/** Efforts that a chat offers. A model uses its nearest effort; presets and clients of the API choose exact ones. */
export const effortTiers = ["fast", "standard", "thorough"] as const;
export type EffortTier = (typeof effortTiers)[number];

const EFFORT_OF_TIER: Readonly<Record<EffortTier, Effort>> = { fast: "off", standard: "medium", thorough: "high" };

/** The choice of a chat without an effort of its own: that of its preset, else the model's own, which is `standard`. */
export type TierChoice = EffortTier | "preset";

export type EffortChoice = {
  /** Whether the model has efforts to choose from. */
  isOffered: boolean;
  /** The effort that is asked for; undefined is the model's own. */
  wanted: Effort | undefined;
  tier: TierChoice;
  /** The choices of the menu with the keys of their names. The exact effort of the active preset comes first. */
  choices: readonly { tier: TierChoice; name: EffortTier | Effort }[];
};

/**
 * Returns the efforts of a model, ascending. For automatic choice, and for no model (null): those of any available
 * model. Empty if there are none.
 */
export function effortsOf(groups: readonly ModelGroup[], model: string | null): readonly Effort[] {
  if (isDemo(groups)) return [];
  if (model !== null && model !== AUTO_MODEL) return findModel(groups, model)?.efforts ?? [];
  const models = groups.flatMap((group) => group.models).filter(({ available }) => available);
  return efforts.filter((effort) => models.some((each) => each.efforts?.includes(effort)));
}

/** Returns the effort of the chat on the screen, as it would be sent now. */
export function effortChoiceOf({ store, presets, modelChoice }: PresetSession): EffortChoice {
  const { groups, value }: ModelChoiceState = modelChoice.current();
  const own = selectEffort(store.getState());
  const ofPreset = presetEffortOf({ store, presets });
  return {
    isOffered: effortsOf(groups, value).length > 1,
    wanted: own ?? ofPreset,
    tier: own === null ? (ofPreset === undefined ? "standard" : "preset") : tierOf(own),
    choices: [
      ...(ofPreset === undefined ? [] : [{ tier: "preset", name: ofPreset } as const]),
      ...effortTiers.map((tier) => ({ tier, name: tier })),
    ],
  };
}

function presetEffortOf({ store, presets }: Pick<PresetSession, "store" | "presets">): Effort | undefined {
  const presetId = selectPresetId(store.getState());
  return presets.current().find(({ id }) => id === presetId)?.effort;
}

function tierOf(effort: Effort): EffortTier {
  if (effort === EFFORT_OF_TIER.standard) return "standard";
  return efforts.indexOf(effort) < efforts.indexOf(EFFORT_OF_TIER.standard) ? "fast" : "thorough";
}

/** Sets the effort of the chat on the screen to that of a tier, see {@link chooseEffort}. */
export function chooseTier(session: PresetSession, tier: TierChoice): void {
  const isModelsOwn = tier === "standard" && presetEffortOf(session) === undefined;
  chooseEffort(session, tier === "preset" || isModelsOwn ? null : EFFORT_OF_TIER[tier]);
}

/**
 * Sets the effort of the chat on the screen; null removes the choice. New chats begin with the last choice, unless it
 * overrides the effort of a preset.
 */
export function chooseEffort(session: PresetSession, effort: Effort | null): void {
  const overridesPreset = presetEffortOf(session) !== undefined;
  presetChoiceOf(session).change({ effort });
  if (overridesPreset) return;
  session.modelChoice.keepEffort(effort);
  const { store } = session.storedSession ?? session;
  store.dispatch(chatEvents.organise({ usualEffort: effort }));
  const { guidanceOfNew } = store.getState().chats;
  if (guidanceOfNew.presetId === null) store.dispatch(chatEvents.guide({ chat: null, change: { effort } }));
}
