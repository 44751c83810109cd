import { ChevronDown } from "lucide-react";
import type { ModelGroup } from "#contract/models/models.ts";
import { Select } from "../../ui/components/fields/select.tsx";
import { LazyMenu } from "../../ui/lazy/lazy-menu.tsx";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { type Missing, optionText, withChosen } from "../listed-models.ts";
import { isLongList, nameOfModel } from "../model-name.ts";
import type { OwnModels } from "../own-models.ts";

const searchMenuModule = lazyModule(() => import("./model-search-menu.tsx"));

export type ModelSelectProps = {
  /** Id of the control, for a label element. */
  id?: string;
  label: string;
  groups: readonly ModelGroup[];
  /** Choice before the models; its value is chosen if no model is. */
  first: { value: string; label: string };
  value: string;
  /** Whether models that cannot be used now are marked. */
  hasStates?: boolean;
  ownModels: OwnModels;
  /** Whether a model that is chosen has not been used by that: the last used ones stay as they are. */
  isInForm?: boolean;
  onChoose: (value: string) => void;
  className?: string;
};

/** Field that chooses a model: a native select, or a button that opens the list that can be searched. */
export function ModelSelect({ id, label, groups, value, hasStates = true, className, ...rest }: ModelSelectProps) {
  const { first, ownModels, isInForm, onChoose } = rest;
  const listed = withChosen(groups, value === first.value ? null : value);
  if (isLongList(groups)) {
    const name = value === first.value ? first.label : chosenText(groups, listed, value, hasStates);
    return (
      <LazyMenu
        module={searchMenuModule}
        menuProps={{ label, groups, first, value, ownModels, isInForm, onChoose }}
        popup="dialog"
        trigger={
          <button
            id={id}
            type="button"
            aria-label={`${label}: ${name}`}
            className={`flex h-11 w-full items-center gap-2 rounded-control border border-outline bg-raised px-3 text-start text-base transition-colors hover:border-muted ${className ?? ""}`}
          >
            <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
            <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
          </button>
        }
      />
    );
  }
  return (
    <Select
      id={id}
      className={className}
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value={first.value}>{first.label}</option>
      {listed.map((group) => (
        <optgroup key={group.label} label={group.label}>
          {group.models.map((model) => (
            <option key={model.value} value={model.value}>
              {hasStates ? optionText(model) : model.label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}

/** Returns the name of the chosen model, which tells it apart from those of other connections, with its state. */
function chosenText(
  groups: readonly ModelGroup[],
  listed: ReturnType<typeof withChosen>,
  value: string,
  hasStates: boolean,
): string {
  const label = nameOfModel(groups, value);
  const model: Missing | undefined = listed.flatMap(({ models }) => models).find((each) => each.value === value);
  return hasStates && model ? optionText({ ...model, label }) : label;
}
