import { useLayoutEffect } from "react";
import type { Preset } from "#contract/conversation/presets.ts";
import { selectMarkedChat } from "../chats/state/chats-selectors.ts";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import { type PresetSession, presetChoiceOf, selectPresetId } from "./preset-choice.ts";
import { usePresetList } from "./preset-list.ts";

export type PresetUse = {
  presets: readonly Preset[];
  /** The active preset of the chat on the screen. */
  chosen: Preset | undefined;
  choose: (presetId: string | null) => void;
};

const keyOf = (chat: string | null, { id, model }: Preset) => `${chat}:${id}:${model}`;

/** Returns the presets and the active one of the chat on the screen, and applies the active one's model. */
export function usePreset(session: PresetSession): PresetUse {
  const { modelChoice } = session;
  const presets = usePresetList(session.presets);
  const chat = useChatsSelector(selectMarkedChat);
  const chosenId = useChatsSelector(selectPresetId);
  const chosen = presets.find(({ id }) => id === chosenId);
  const model = chosen?.model ?? null;
  const key = chosen ? keyOf(chat, chosen) : "";
  useLayoutEffect(() => modelChoice.follow(model === null ? null : { key, model }), [modelChoice, key, model]);
  return {
    presets,
    chosen,
    choose: (presetId) => choosePreset(session, presetId),
  };
}

/** Sets the preset of the chat on the screen; null is none. */
export function choosePreset(session: PresetSession, presetId: string | null): void {
  const root = session.store.getState();
  const chat = selectMarkedChat(root);
  const preset = session.presets.current().find(({ id }) => id === presetId);
  // Choosing a preset, even again, removes the choices that override its effort, its tools and its model.
  presetChoiceOf(session).change({
    presetId,
    ...(preset?.effort !== undefined && { effort: null }),
    ...(preset?.effort === undefined && chat === null && { effort: root.chats.usualEffort }),
    ...(preset?.tools !== undefined && { tools: null }),
  });
  if (preset) session.modelChoice.removeOverride(keyOf(chat, preset));
}
