import type { Preset } from "#contract/conversation/presets.ts";
import type { PresetRow } from "../database/schema.ts";

export function toPreset({ id, name, instructions, model, temperature, effort }: PresetRow): Preset {
  return { id, name, instructions, model, temperature, ...(effort !== null && { effort }) };
}
