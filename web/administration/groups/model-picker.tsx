import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountGroupList } from "#contract/administration/groups.ts";
import { stateText, withChosen } from "../../models/listed-models.ts";
import { modelMatcher } from "../../models/match-models.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";

/** Models that are rendered at first, and with each further step: a server may have thousands. */
const PAGE = 100;

type Choices = AccountGroupList["choices"];

type ModelPickerProps = {
  choices: Choices;
  /** Values of the chosen models; null: all. */
  models: readonly string[] | null;
  onChange: (models: readonly string[] | null) => void;
  /** Sentence under the list. */
  error: string | undefined;
};

/** Choice of the models of a group: all, or some of a list that can be searched. */
export function ModelPicker({ choices, models, onChange, error }: ModelPickerProps) {
  const { t } = useTranslation("groups");
  // The choice of some models survives a look at the other choice.
  const [last, setLast] = useState<readonly string[]>(models ?? []);
  const change = (chosen: readonly string[]) => {
    setLast(chosen);
    onChange(chosen);
  };
  const kinds = [
    { value: true, title: t("form.all"), text: t("form.allText") },
    { value: false, title: t("form.some"), text: t("form.someText") },
  ];
  return (
    <div className="flex flex-col gap-3">
      <RadioChoices
        label={t("form.models")}
        choices={kinds}
        value={models === null}
        onChange={(isAll) => onChange(isAll ? null : last)}
      />
      {models !== null && <ModelList choices={choices} models={models} onChange={change} error={error} />}
    </div>
  );
}

type ModelListProps = Omit<ModelPickerProps, "models" | "onChange"> & {
  models: readonly string[];
  onChange: (models: readonly string[]) => void;
};

function ModelList({ choices, models, onChange, error }: ModelListProps) {
  const { t } = useTranslation("groups");
  const id = useId();
  const [words, setWords] = useState("");
  // Models that were chosen when the form was opened stay in the list after they are unchosen.
  const [opened] = useState(models);
  const [limit, setLimit] = useState(PAGE);
  const found = matching(withChosen(choices, ...opened), words);
  const shown = firstModels(found, limit);
  const left = countOf(found) - countOf(shown);
  const chosen = new Set(models);
  const toggle = (value: string, isChosen: boolean) =>
    onChange(isChosen ? [...models, value] : models.filter((each) => each !== value));
  return (
    <fieldset className="min-w-0" aria-describedby={error === undefined ? undefined : id}>
      <legend className="sr-only">{t("form.choices")}</legend>
      <Field
        label={t("form.search")}
        type="search"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        // Enter in the search must not save the group.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <div className="mt-3 max-h-72 overflow-y-auto rounded-control border border-outline p-1.5">
        {shown.length === 0 && <p className="px-2 py-3 text-muted text-sm">{t("form.nothing")}</p>}
        {shown.map((group) => (
          <fieldset key={group.label} className="min-w-0 py-1">
            <legend className="px-2 pt-1 pb-0.5 font-medium text-muted text-xs">{group.label}</legend>
            {group.models.map(({ value, label, ...state }) => (
              <label
                key={value}
                className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2 text-sm hover:bg-hover pointer-coarse:min-h-11"
              >
                <input
                  type="checkbox"
                  checked={chosen.has(value)}
                  onChange={(event) => toggle(value, event.target.checked)}
                  className="size-4.5 shrink-0 accent-accent"
                />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <bdi>{label}</bdi>
                  <StateNote model={{ value, label, ...state }} />
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        {left > 0 && (
          <Button variant="quiet" size="small" onClick={() => setLimit(limit + PAGE)}>
            {t("form.more", { count: left })}
          </Button>
        )}
      </div>
      <p role="status" className="mt-1.5 text-muted text-xs">
        {t("form.chosen", { count: models.length })}
      </p>
      {error !== undefined && (
        <p id={id} role="alert" className="mt-1 text-danger text-xs">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function StateNote({ model }: { model: Parameters<typeof stateText>[0] }) {
  const state = stateText(model);
  return state !== null && <span className="text-muted"> · {state}</span>;
}

type Groups = ReturnType<typeof withChosen>;

const countOf = (groups: Groups) => groups.reduce((sum, { models }) => sum + models.length, 0);

/** Returns the first models of the groups, `limit` in all. */
function firstModels(groups: Groups, limit: number): Groups {
  let left = limit;
  return groups.flatMap((group) => {
    const models = group.models.slice(0, left);
    left -= models.length;
    return models.length > 0 ? [{ ...group, models }] : [];
  });
}

/** Returns the groups with the models that match, each found by its name or by the name of its group. */
function matching(choices: Groups, text: string): Groups {
  const matches = modelMatcher(text);
  return choices
    .map((group) => ({ label: group.label, models: group.models.filter((model) => matches(model, group.label)) }))
    .filter(({ models }) => models.length > 0);
}
