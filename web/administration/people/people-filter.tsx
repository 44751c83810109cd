import { useTranslation } from "react-i18next";
import { accountRoles } from "#contract/accounts/roles.ts";
import { type AccountSort, accountSorts, accountStates, signInWays } from "#contract/administration/administration.ts";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { cx } from "../../ui/components/cx.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import type { AccountFilter } from "../administration-api.ts";
import { GroupSelect } from "../groups/group-select.tsx";

type PeopleFilterProps = {
  filter: AccountFilter;
  /** Groups to filter by. */
  groups: readonly AccountGroup[];
  onChange: (change: Partial<AccountFilter>) => void;
};

/** Search, filters and order of the list of people. */
export function PeopleFilter({ filter, groups, onChange }: PeopleFilterProps) {
  const { t } = useTranslation(["administration", "groups"]);
  const hasGroups = groups.length > 0;
  return (
    <search className={cx("mt-6 grid grid-cols-2 gap-4", hasGroups ? "sm:grid-cols-5" : "sm:grid-cols-4")}>
      <Field
        label={t("people.search")}
        type="search"
        placeholder={t("people.searchHint")}
        value={filter.q}
        onChange={(event) => onChange({ q: event.target.value })}
        className="col-span-full"
      />
      <SelectField
        label={t("people.role")}
        value={filter.role ?? ""}
        onChange={({ target: { value: word } }) =>
          onChange({ role: accountRoles.find((role) => role === word) ?? null })
        }
      >
        <option value="">{t("people.any")}</option>
        {accountRoles.map((role) => (
          <option key={role} value={role}>
            {t(`roles.${role}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("people.state")}
        value={filter.state ?? ""}
        onChange={({ target: { value: word } }) =>
          onChange({ state: accountStates.find((state) => state === word) ?? null })
        }
      >
        <option value="">{t("people.any")}</option>
        {accountStates.toReversed().map((state) => (
          <option key={state} value={state}>
            {t(`states.${state}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("people.way")}
        value={filter.way ?? ""}
        onChange={({ target: { value: word } }) => onChange({ way: signInWays.find((way) => way === word) ?? null })}
      >
        <option value="">{t("people.any")}</option>
        {signInWays.map((way) => (
          <option key={way} value={way}>
            {t(`ways.${way}`)}
          </option>
        ))}
      </SelectField>
      {hasGroups && (
        <GroupSelect
          groups={groups}
          label={t("groups:group")}
          none={t("groups:any")}
          without={t("groups:noGroup")}
          value={filter.group ?? ""}
          onChange={(group) => onChange({ group: group || null })}
        />
      )}
      <SelectField
        label={t("people.sort")}
        className={hasGroups ? "max-sm:col-span-2" : undefined}
        value={filter.sort}
        onChange={({ target: { value: word } }) =>
          onChange(orderBy(accountSorts.find((sort) => sort === word) ?? "created"))
        }
      >
        {accountSorts.map((sort) => (
          <option key={sort} value={sort}>
            {t(`sorts.${sort}`)}
          </option>
        ))}
      </SelectField>
    </search>
  );
}

/** Names ascend; times and sizes begin with the latest and largest. */
const orderBy = (sort: AccountSort) => ({ sort, direction: sort === "name" ? ("asc" as const) : ("desc" as const) });
