import type { ModelGroup, ModelOption } from "#contract/models/models.ts";

export function findModel(groups: readonly ModelGroup[], value: string | null): ModelOption | undefined {
  return groups.flatMap(({ models }) => models).find((model) => model.value === value);
}

/** Returns a model's label in menus; for an unavailable model, the name within its value. */
export function nameOfModel(groups: readonly ModelGroup[], value: string): string {
  return findModel(groups, value)?.label ?? value.slice(value.indexOf(":") + 1);
}

/** Whether the list was read and no model of it is available, so that the demo assistant answers. */
export const isDemo = (groups: readonly ModelGroup[]): boolean =>
  groups.length > 0 &&
  groups.every(({ models, unreachable }) => unreachable === undefined && models.every(({ available }) => !available));
