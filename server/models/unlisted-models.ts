import type { Model } from "./model.ts";
import { ModelError } from "./model-error.ts";

/**
 * Defaults for a model of an unreachable server. Its value is arbitrary user input, so metrics use this label.
 */
export const unlisted = { label: "LOCAL:unlisted", contextTokens: 16_384, maxOutputTokens: 4096 };

/** Placeholder for the models of an unreachable server, if no other one is configured. */
export const absentServer: Model = {
  value: "LOCAL:unknown",
  provider: "local",
  connectionId: "local",
  contextTokens: unlisted.contextTokens,
  maxOutputTokens: unlisted.maxOutputTokens,
  stream: () => Promise.reject(new ModelError("assistant-unreachable")),
};
