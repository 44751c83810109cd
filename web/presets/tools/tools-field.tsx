import { useTranslation } from "react-i18next";
import { useQuery } from "../../queries/use-query.ts";
import { listTools, withSwitched } from "./tool-choice.ts";
import { FoundGroups, GroupSearchField, useGroupSearch } from "./tool-group-list.tsx";
import { toolGroupsQuery } from "./tool-groups-query.ts";

type ToolsFieldProps = {
  /** Slugs of groups; null is none. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
};

/**
 * Tools of a preset, as the panel of a chat lists them. A group that cannot be used now stays chosen until it is removed.
 * Before the groups are read, none can be chosen: all would look unavailable.
 */
export function ToolsField({ value, onChange }: ToolsFieldProps) {
  const { t } = useTranslation("presets");
  const { value: listed, error } = useQuery(toolGroupsQuery);
  const groups = listTools(listed?.groups ?? [], value ?? []);
  const search = useGroupSearch(groups);
  if (listed === null && error !== null) {
    return <p className="text-muted text-sm">{t("tools.unread")}</p>;
  }
  if (listed === null || groups.length === 0) return null;
  const change = (slug: string) => {
    const next = withSwitched(groups, slug);
    onChange(next.length === 0 ? null : next);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-sm">{t("tools.label")}</legend>
      <div className="overflow-hidden rounded-control border border-outline">
        {search.isOffered && (
          <GroupSearchField
            search={search}
            className="h-11 w-full border-hairline border-b bg-transparent px-3 text-base -outline-offset-2 placeholder:text-muted"
          />
        )}
        <FoundGroups search={search} onSwitch={change} className="max-h-80 overflow-y-auto" />
      </div>
    </fieldset>
  );
}
