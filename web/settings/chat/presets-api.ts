/** API calls of instructions and presets. All throw ApiError. */

import { conversationPaths } from "#contract/conversation/paths.ts";
import { instructionsSchema, type NewPreset } from "#contract/conversation/preset-calls.ts";
import { presetListSchema, presetSchema } from "#contract/conversation/presets.ts";
import { api } from "../../api/client.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";
import { InstructionsNotices } from "../../presets/instructions-notices.ts";

export const presetsApi = {
  readInstructions: (signal: AbortSignal) => api.get(conversationPaths.instructions, instructionsSchema, { signal }),
  /** The call goes on while the page is unloaded. */
  changeInstructions: (instructions: string, signal: AbortSignal) => {
    InstructionsNotices.noteSent(instructions);
    return api.put(conversationPaths.instructions, { instructions }, null, { keepalive: true, signal });
  },

  read: (signal: AbortSignal) => api.get(conversationPaths.presets, presetListSchema, { signal }),
  add: (preset: NewPreset) => api.post(conversationPaths.presets, preset, presetSchema),
  change: (id: string, change: ChangedFields<NewPreset>) =>
    api.patch(conversationPaths.preset(id), change, presetSchema),
  move: (id: string, position: number) => api.patch(conversationPaths.preset(id), { position }, presetSchema),
  delete: (id: string) => api.delete(conversationPaths.preset(id)),
  restore: (id: string) => api.post(conversationPaths.presetRestoration(id), undefined, presetSchema),
};
