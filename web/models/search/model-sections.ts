import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { i18n } from "../../locales/i18n.ts";
import { type Missing, separateNotSetUp, stateText, withChosen } from "../listed-models.ts";
import { modelMatcher } from "../match-models.ts";

/** A model of the list; a chosen model that is gone has no facts. */
export type ListedModel = Missing & Partial<ModelOption>;

/** Choice before the models, such as automatic choice. */
export type FirstChoice = { value: string; label: string; hint?: string | undefined };

/** `notes`: its connection, where no heading says so, and its state. */
export type ModelRow = { kind: "model"; key: string; model: ListedModel; notes: readonly string[]; isPinned: boolean };

/** An option. `fold`: opens and closes the section of models that are not set up. */
export type OptionRow =
  | { kind: "first"; key: string; choice: FirstChoice }
  | ModelRow
  | { kind: "fold"; key: string; count: number; isOpen: boolean };

export type ModelSection = { key: string; label: string; options: readonly OptionRow[] };

/** Number of models in the section “Last used”. */
const SHOWN_RECENT = 4;

export type SectionsInput = {
  groups: readonly ModelGroup[];
  first: FirstChoice;
  value: string;
  pinned: readonly string[];
  recent: readonly string[];
  query: string;
  /** Whether the models that are not set up are shown; a query shows those that match. */
  isFoldOpen: boolean;
};

/** A model with the name of its connection. */
type Found = { model: ListedModel; connection: string };

/**
 * Returns the sections of the list: the first choice, pinned models, those that were used last, each connection, and
 * models that are not set up. A model is in one section only.
 */
export function sectionsOf({ groups, first, value, pinned, recent, query, isFoldOpen }: SectionsInput): ModelSection[] {
  const matches = modelMatcher(query);
  const { ready, notSetUp } = separateNotSetUp<ListedModel>(withChosen(groups, value === first.value ? null : value));
  const found = ready.map(({ label, models }) => ({ label, models: models.filter((model) => matches(model, label)) }));
  const byValue = new Map(
    found.flatMap(({ label, models }) =>
      models.map((model): [string, Found] => [model.value, { model, connection: label }]),
    ),
  );
  const pinnedModels = foundOf(byValue, pinned);
  const recentModels = foundOf(
    byValue,
    recent.filter((each) => !pinned.includes(each)),
  ).slice(0, SHOWN_RECENT);
  const above = new Set([...pinnedModels, ...recentModels].map(({ model }) => model.value));
  const row = (model: ListedModel, connection: string | null): ModelRow => ({
    kind: "model",
    key: model.value,
    model,
    notes: notesOf(model, connection),
    isPinned: pinned.includes(model.value),
  });
  const rowOf = ({ model, connection }: Found) => row(model, connection);
  const isFirstFound = matches({ label: `${first.label} ${first.hint ?? ""}`, value: "" }, "");
  const matchingNotSetUp = notSetUp.filter(({ model, connection }) => matches(model, connection)).map(rowOf);
  const sections: ModelSection[] = [
    { key: "first", label: "", options: isFirstFound ? [{ kind: "first", key: first.value, choice: first }] : [] },
    { key: "pinned", label: i18n.t("modelSearch:pinned"), options: pinnedModels.map(rowOf) },
    { key: "recent", label: i18n.t("modelSearch:recent"), options: recentModels.map(rowOf) },
    ...found.map(({ label, models }, index) => ({
      key: `connection ${index}`,
      label,
      options: models.filter((model) => !above.has(model.value)).map((model) => row(model, null)),
    })),
    {
      key: "not set up",
      label: i18n.t("modelMenu:notSetUpGroup"),
      options: query.trim() === "" ? folded(matchingNotSetUp, isFoldOpen) : matchingNotSetUp,
    },
  ];
  return sections.filter(({ options }) => options.length > 0);
}

const foundOf = (byValue: ReadonlyMap<string, Found>, values: readonly string[]): Found[] =>
  values.flatMap((value) => byValue.get(value) ?? []);

function notesOf(model: ListedModel, connection: string | null): string[] {
  const state = stateText(model) ?? (model.default ? i18n.t("modelMenu:groupDefault") : null);
  return [connection, state].filter((note) => note !== null);
}

function folded(rows: readonly ModelRow[], isOpen: boolean): OptionRow[] {
  if (rows.length === 0) return [];
  return [{ kind: "fold", key: "fold", count: rows.length, isOpen }, ...(isOpen ? rows : [])];
}

/** Whether a section has its label as a line of its own: the first choice needs none, and a fold has it. */
export const hasHeading = ({ label, options }: ModelSection): boolean => label !== "" && options[0]?.kind !== "fold";
