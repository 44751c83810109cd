import { useTranslation } from "react-i18next";
import { useQuery } from "../../queries/use-query.ts";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { listTools, withSwitched } from "./tool-choice.ts";
import { toolGroupHint, toolGroupName } from "./tool-group-words.ts";
import { toolGroupsQuery } from "./tool-groups-query.ts";

type ToolsFieldProps = {
  /** Slugs of groups; null is none. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
};

/** Tools of a preset; a group that cannot be used now stays chosen until it is removed. */
export function ToolsField({ value, onChange }: ToolsFieldProps) {
  const { t } = useTranslation("presets");
  const available = useQuery(toolGroupsQuery).value?.groups ?? [];
  const groups = listTools(available, value ?? []);
  if (groups.length === 0) return null;
  const change = (slug: string) => {
    const next = withSwitched(groups, slug);
    onChange(next.length === 0 ? null : next);
  };
  return (
    <fieldset>
      <legend className="font-medium text-sm">{t("tools.label")}</legend>
      {groups.map((group) => (
        <CheckField
          key={group.slug}
          label={toolGroupName(group.slug)}
          hint={group.server?.host || (toolGroupHint(group) ?? undefined)}
          checked={group.isChosen}
          onChange={() => change(group.slug)}
        />
      ))}
    </fieldset>
  );
}
