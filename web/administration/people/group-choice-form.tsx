import { useTranslation } from "react-i18next";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { Select } from "../../ui/components/fields/select.tsx";
import { useIsClosed } from "../groups/group-select.tsx";
import { RightsForm } from "./rights-form.tsx";
import { type RightsProps, useRightsForm } from "./use-rights-form.ts";

type GroupChoiceFormProps = RightsProps & { groups: readonly AccountGroup[] };

/** Moves an account to another group, or to none. */
export function GroupChoiceForm({ account, groups, onChange }: GroupChoiceFormProps) {
  const { t } = useTranslation("groups");
  const isClosed = useIsClosed();
  const current = account.group?.id ?? "";
  const { value, setValue, form } = useRightsForm(
    { account, onChange },
    {
      current,
      toChange: (id) => (id === current ? null : { groupId: id || null }),
      saved: t("person.saved"),
    },
  );
  return (
    <RightsForm {...form}>
      <Select
        aria-label={t("person.title")}
        value={value}
        onChange={({ target }) => setValue(target.value)}
        className="min-w-48 flex-1"
      >
        <option value="">{t("noGroup")}</option>
        {groups.map((group) => (
          <option key={group.id} value={group.id} disabled={group.id !== current && isClosed(group)}>
            {group.name}
          </option>
        ))}
      </Select>
    </RightsForm>
  );
}
