import { type ComponentProps, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Folder } from "#contract/conversation/folders.ts";
import { Button } from "../ui/components/button.tsx";
import { noFilters, type SearchFilters } from "./search-run.ts";

export type FilterFolder = Pick<Folder, "id" | "name">;

type FilterRowProps = {
  id: string;
  filters: SearchFilters;
  folders: readonly FilterFolder[];
  models: readonly { value: string; label: string }[];
  onChange: (filters: SearchFilters) => void;
};

/** Filters by folder, author, model and date. */
export function FilterRow({ id, filters, folders, models, onChange }: FilterRowProps) {
  const { t } = useTranslation("search");
  const set = (change: Partial<SearchFilters>) => onChange({ ...filters, ...change });
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    <div
      id={id}
      className="grid shrink-0 animate-fade grid-cols-2 gap-x-3 gap-y-2 border-hairline border-b px-4 py-3 sm:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]"
    >
      <Choice label={t("filter.role")} value={filters.role} onChange={({ target }) => set({ role: target.value })}>
        <option value="">{t("filter.anyRole")}</option>
        <option value="user">{t("you")}</option>
        <option value="assistant">{t("server")}</option>
      </Choice>
      <Choice label={t("filter.model")} value={filters.model} onChange={({ target }) => set({ model: target.value })}>
        <option value="">{t("filter.anyModel")}</option>
        {models.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Choice>
      {folders.length > 0 && (
        <Choice
          label={t("filter.folder")}
          value={filters.folder}
          onChange={({ target }) => set({ folder: target.value })}
        >
          <option value="">{t("filter.anyFolder")}</option>
          {folders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <DateChoice
        label={t("filter.from")}
        value={filters.from}
        max={filters.to || undefined}
        onChange={({ target }) => set({ from: target.value })}
      />
      <DateChoice
        label={t("filter.to")}
        value={filters.to}
        min={filters.from || undefined}
        onChange={({ target }) => set({ to: target.value })}
      />
      {isFiltered && (
        <Button
          variant="quiet"
          size="small"
          className="col-span-full justify-self-end text-muted"
          onClick={() => onChange(noFilters)}
        >
          {t("clearFilters")}
        </Button>
      )}
    </div>
  );
}

const controlClass =
  "h-9 w-full min-w-0 rounded-control border border-outline bg-raised px-2 text-sm transition-colors " +
  "hover:border-muted focus-visible:outline-offset-0 pointer-coarse:h-11";

function Choice({ label, ...select }: ComponentProps<"select"> & { label: string }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-muted text-xs">
        {label}
      </label>
      <select id={id} className={controlClass} {...select} />
    </div>
  );
}

function DateChoice({ label, ...input }: ComponentProps<"input"> & { label: string }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-muted text-xs">
        {label}
      </label>
      <input id={id} type="date" className={controlClass} {...input} />
    </div>
  );
}
