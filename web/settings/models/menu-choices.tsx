import { useTranslation } from "react-i18next";
import type { ModelOption } from "#contract/models/models.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";

/** Number of models from which the list has a filter. */
const FILTER_FROM = 10;

export const hasFilter = (models: readonly ModelOption[]): boolean => models.length > FILTER_FROM;

type MenuChoicesProps = {
  /** Null if the list is short and has no filter. */
  filter: string | null;
  onFilter: (filter: string) => void;
  hasMatches: boolean;
  /** Numbers of models: in menus, and of all. */
  shown: number;
  all: number;
  /** Called to show or hide all models that match the filter. */
  onShowAll: (isShown: boolean) => void;
};

/** Controls above the models: the filter, and buttons that show all or none of the listed models in menus. */
export function MenuChoices({ filter, onFilter, hasMatches, shown, all, onShowAll }: MenuChoicesProps) {
  const { t, i18n } = useTranslation("models");
  const numbers = new Intl.NumberFormat(i18n.language);
  return (
    <div className="mt-10 flex flex-wrap items-end gap-x-4 gap-y-3">
      {filter !== null && (
        <Field
          type="search"
          label={t("filter")}
          value={filter}
          autoComplete="off"
          spellCheck={false}
          className="min-w-0 flex-1 basis-64"
          onChange={(event) => onFilter(event.currentTarget.value)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="small" disabled={!hasMatches} onClick={() => onShowAll(true)}>
          {t("all")}
        </Button>
        <Button variant="secondary" size="small" disabled={!hasMatches} onClick={() => onShowAll(false)}>
          {t("nothing")}
        </Button>
      </div>
      <p role="status" className="w-full text-muted text-sm tabular-nums">
        {hasMatches ? t("inMenus", { shown: numbers.format(shown), all: numbers.format(all) }) : t("noMatch")}
      </p>
    </div>
  );
}
