import { useTranslation } from "react-i18next";
import { useQuery } from "../../queries/use-query.ts";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
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
  const groups = useQuery(toolGroupsQuery).value?.groups.map(({ slug }) => slug) ?? [];
  const chosen = value ?? [];
  const listed = [...new Set([...groups, ...chosen])];
  if (listed.length === 0) return null;
  const choose = (slug: string, isChosen: boolean) => {
    const next = listed.filter((each) => (each === slug ? isChosen : chosen.includes(each)));
    onChange(next.length === 0 ? null : next);
  };
  return (
    <fieldset>
      <legend className="font-medium text-sm">{t("tools.label")}</legend>
      {listed.map((slug) => (
        <CheckField
          key={slug}
          label={toolGroupName(slug)}
          hint={(groups.includes(slug) ? toolGroupHint(slug) : t("tools.away")) ?? undefined}
          checked={chosen.includes(slug)}
          onChange={(event) => choose(slug, event.target.checked)}
        />
      ))}
    </fieldset>
  );
}
