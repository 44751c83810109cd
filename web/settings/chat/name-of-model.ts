import type { ModelGroup, ModelOption } from "#contract/models.ts";

export function findModel(groups: readonly ModelGroup[], value: string | null): ModelOption | undefined {
  return groups.flatMap(({ models }) => models).find((model) => model.value === value);
}

/** What the menu calls a model; of one that is not there, the name in its value. */
export function nameOfModel(groups: readonly ModelGroup[], value: string): string {
  return findModel(groups, value)?.label ?? value.slice(value.indexOf(":") + 1);
}
