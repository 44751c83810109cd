import type { ModelGroup, ModelOption } from "#contract/models/models.ts";

export function findModel(groups: readonly ModelGroup[], value: string | null): ModelOption | undefined {
  return groups.flatMap(({ models }) => models).find((model) => model.value === value);
}

/**
 * Returns a model's label in menus, with its connection if another model has this label too; for an unlisted model, the
 * name within its value.
 */
export function nameOfModel(groups: readonly ModelGroup[], value: string): string {
  const name = findModel(groups, value)?.label ?? value.slice(value.indexOf(":") + 1);
  const having = groups.filter(({ models }) => models.some(({ label }) => label === name));
  const own = having.find((group) => findModel([group], value));
  return own && having.length > 1 ? `${name} · ${own.label}` : name;
}

/** Whether the list was read and no model of it is available, so that the demo assistant answers. */
export const isDemo = (groups: readonly ModelGroup[]): boolean =>
  groups.length > 0 &&
  groups.every(({ models, unreachable }) => unreachable === undefined && models.every(({ available }) => !available));

/** Number of models from which the menu is a list that can be searched. */
const SEARCHED_FROM = 16;

/** Whether the list of models is too long to be read through. */
export const isLongList = (groups: readonly { models: readonly unknown[] }[]): boolean =>
  groups.reduce((sum, { models }) => sum + models.length, 0) >= SEARCHED_FROM;
