import { type Effort, efforts, nearestEffort } from "#contract/effort.ts";
import { AUTO_MODEL, type ModelGroup } from "#contract/models.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ModelChoiceState } from "../models/model-choice.ts";
import { findModel, isDemo } from "../models/model-name.ts";
import { type PresetSession, presetChoiceOf, selectEffort, selectPresetId } from "./preset-choice.ts";

export type EffortChoice = {
  /** Efforts to choose from, ascending; empty if the model has none. */
  levels: readonly Effort[];
  /** The person's choice in the chat; null is that of its preset, else the model's default. */
  own: Effort | null;
  /** The effort of the active preset. */
  ofPreset: Effort | undefined;
  /** The effort that is asked for; undefined is the model's default. */
  wanted: Effort | undefined;
  /** The effort that the model will use: the nearest to the wanted one. */
  used: Effort | undefined;
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
  const root = store.getState();
  const { groups, value }: ModelChoiceState = modelChoice.current();
  const levels = effortsOf(groups, value);
  const own = selectEffort(root);
  const presetId = selectPresetId(root);
  const ofPreset = presets.current().find(({ id }) => id === presetId)?.effort;
  const wanted = own ?? ofPreset;
  return { levels, own, ofPreset, wanted, used: wanted && nearestEffort(wanted, levels) };
}

/**
 * Sets the effort of the chat on the screen; null removes the choice. New chats begin with the last choice, unless it
 * overrides the effort of a preset.
 */
export function chooseEffort(session: PresetSession, effort: Effort | null): void {
  const { ofPreset } = effortChoiceOf(session);
  presetChoiceOf(session).change({ effort });
  if (ofPreset !== undefined) return;
  session.modelChoice.keepEffort(effort);
  const { store } = session.kept ?? session;
  const { presetOfNew } = store.getState().chats;
  const change = { usualEffort: effort, ...(presetOfNew === null && { effortOfNew: effort }) };
  store.dispatch(chatEvents.organise(change));
}
