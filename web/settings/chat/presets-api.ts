/** API calls of instructions and presets. All throw ApiError. */

import { instructionsSchema, type NewPreset } from "#contract/calls/preset-calls.ts";
import { paths } from "#contract/paths.ts";
import { presetListSchema, presetSchema } from "#contract/presets.ts";
import { api } from "../../api/client.ts";
import { noteSentInstructions } from "../../api/sent-instructions.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";

export const presetsApi = {
  readInstructions: (signal: AbortSignal) => api.get(paths.instructions, instructionsSchema, { signal }),
  /** The call goes on while the page is unloaded. */
  changeInstructions: (instructions: string, signal: AbortSignal) => {
    // Before the call: the event of the change may arrive before the response.
    noteSentInstructions(instructions);
    return api.put(paths.instructions, { instructions }, null, { keepalive: true, signal });
  },

  read: (signal: AbortSignal) => api.get(paths.presets, presetListSchema, { signal }),
  add: (preset: NewPreset) => api.post(paths.presets, preset, presetSchema),
  change: (id: string, change: ChangedFields<NewPreset>) => api.patch(paths.preset(id), change, presetSchema),
  move: (id: string, position: number) => api.patch(paths.preset(id), { position }, presetSchema),
  delete: (id: string) => api.delete(paths.preset(id)),
  restore: (id: string) => api.post(paths.presetRestoration(id), undefined, presetSchema),
};
