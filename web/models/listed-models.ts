import { AUTO_MODEL, type ModelOption } from "#contract/models/models.ts";
import modelMenu from "../locales/en/modelMenu.json";
import { i18n, registerTexts } from "../locales/i18n.ts";

registerTexts("modelMenu", modelMenu);

// No import of the chat's modules: this one is in a chunk that the settings load too.

type Listed = Pick<ModelOption, "label" | "value" | "available" | "unreachable">;
export type ListedGroup<M extends Listed> = { label: string; unreachable?: string | undefined; models: readonly M[] };

/** A chosen model that the server does not list. `isGone`: it has no such model, or the account may not use it. */
export type Missing = Listed & { isGone?: boolean };

/**
 * Returns the groups that a list or form of models shows: those with models, and each chosen model, so that a missing
 * one stays chosen and is marked. A provider that does not answer may have it still.
 */
export function withChosen<M extends Listed>(
  groups: readonly ListedGroup<M>[],
  ...chosen: (string | null)[]
): ListedGroup<M | Missing>[] {
  const listed = new Set(groups.flatMap(({ models }) => models.map(({ value }) => value)));
  const missing = chosen
    .filter((value) => value !== null)
    .filter((value) => value !== AUTO_MODEL && !listed.has(value))
    .map((value): Missing => ({ label: value.slice(value.indexOf(":") + 1), value, available: false }));
  const isOf = ({ unreachable }: ListedGroup<M>, { value }: Missing) =>
    unreachable !== undefined && value.startsWith(unreachable);
  const gone = missing.filter((model) => !groups.some((group) => isOf(group, model)));
  const all = groups.map((group) => {
    const unlisted = missing
      .filter((model) => isOf(group, model))
      .map((model) => ({ ...model, unreachable: true as const }));
    return { ...group, models: [...group.models, ...unlisted] };
  });
  const notHere = { label: i18n.t("modelMenu:notHere"), models: gone.map((model) => ({ ...model, isGone: true })) };
  return [...all, notHere].filter(({ models }) => models.length > 0);
}

/**
 * Separates the models that the server has no key or address for. Menus list them last, once another model works; until
 * then they stay in their groups.
 */
export function separateNotSetUp<M extends Missing>(groups: readonly ListedGroup<M>[]) {
  const isReady = ({ available, unreachable, isGone }: M) => available || unreachable === true || isGone === true;
  if (!groups.some(({ models }) => models.some(({ available }) => available))) return { ready: groups, notSetUp: [] };
  const ready = groups
    .map((group) => ({ ...group, models: group.models.filter(isReady) }))
    .filter(({ models }) => models.length > 0);
  const notSetUp = groups.flatMap(({ label, models }) =>
    models.filter((model) => !isReady(model)).map((model) => ({ model, connection: label })),
  );
  return { ready, notSetUp };
}

/** Returns why a model cannot be used now; null if it can. */
export function stateText(model: Missing): string | null {
  if (model.unreachable) return i18n.t("modelMenu:unreachable");
  if (model.isGone) return i18n.t("modelMenu:gone");
  return model.available ? null : i18n.t("modelMenu:notSetUp");
}

/** Returns a model's label with its state, for an option of a select. */
export function optionText(model: Missing): string {
  const state = stateText(model);
  return state === null ? model.label : i18n.t("modelMenu:inState", { name: model.label, state });
}
