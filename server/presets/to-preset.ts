import type { Preset } from "#contract/conversation/presets.ts";
import type { PresetRow } from "../database/schema.ts";
import { parseToolGroups } from "./tool-groups.ts";

export function toPreset({ id, name, instructions, model, temperature, effort, tools: stored }: PresetRow): Preset {
  const tools = parseToolGroups(stored);
  return { id, name, instructions, model, temperature, ...(effort !== null && { effort }), ...(tools && { tools }) };
}
