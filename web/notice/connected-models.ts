import { SECOND } from "#contract/limits.ts";
import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { i18n } from "../locales/i18n.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { notify } from "../ui/notifications/notify.ts";

const SHOWN_MS = 10 * SECOND;

/**
 * Shows a notification that names models which have become available since the list was last read, for example after a
 * restart with a key. Models of a provider that did not answer for a while are not named again. Returns the function
 * that ends it.
 */
export function announceConnectedModels(): () => void {
  let before = modelsQuery.state.get().value;
  return modelsQuery.state.subscribe(() => {
    const { value } = modelsQuery.state.get();
    if (before !== null && value !== null) announce(newModels(before, value));
    before = value;
  });
}

function newModels(before: readonly ModelGroup[], after: readonly ModelGroup[]): ModelOption[] {
  const known = modelsOf(before).filter(({ available, unreachable }) => available || unreachable);
  const values = new Set(known.map(({ value }) => value));
  const wasUnreachable = (value: string) =>
    before.some(({ unreachable }) => unreachable && value.startsWith(unreachable));
  return modelsOf(after).filter(({ available, value }) => available && !values.has(value) && !wasUnreachable(value));
}

const modelsOf = (groups: readonly ModelGroup[]) => groups.flatMap(({ models }) => models);

function announce(models: readonly ModelOption[]): void {
  const named = models.find((model) => model.default) ?? models[0];
  if (!named) return;
  const { label: name } = named;
  const count = models.length - 1;
  const text = count === 0 ? i18n.t("notice:connected", { name }) : i18n.t("notice:connectedMore", { name, count });
  notify("info", text, { durationMs: SHOWN_MS });
}
