import type { PayloadAction } from "@reduxjs/toolkit";
import type { ChatGuidance } from "#contract/presets.ts";
import type { ChatsState, Conversation } from "./chats-state.ts";

/** What is to be another thing; what is missing stays. */
export type GuidanceChange = { presetId?: string | null; instructions?: string };

/** Stores a chat's preset and instructions as the server returned them. */
export function takeGuidance(conversation: Conversation, { presetId, instructions }: ChatGuidance): void {
  conversation.presetId = presetId ?? null;
  conversation.instructions = instructions ?? "";
}

export const guidanceReducers = {
  /** What models are told in a chat alone (null: in the one that is still to be made, which can have a preset). */
  guide(state: ChatsState, { payload }: PayloadAction<{ chat: string | null; change: GuidanceChange }>) {
    const { chat, change } = payload;
    if (chat === null) state.presetOfNew = change.presetId ?? null;
    else Object.assign(state.conversations[chat] ?? {}, change);
  },
};
