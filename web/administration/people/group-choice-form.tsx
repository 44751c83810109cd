import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { Select } from "../../ui/components/select.tsx";
import { useIsClosed } from "../groups/group-select.tsx";
import { RightsForm } from "./rights-form.tsx";
import { useRightsChange } from "./use-rights-change.ts";

type GroupChoiceFormProps = {
  account: AdministeredAccount;
  groups: readonly AccountGroup[];
  onChange: (account: AdministeredAccount) => void;
};

/** Moves an account to another group, or to none. */
export function GroupChoiceForm({ account, groups, onChange }: GroupChoiceFormProps) {
  const { t } = useTranslation("groups");
  const { save, form } = useRightsChange(account, onChange);
  const isClosed = useIsClosed();
  const current = account.group?.id ?? "";
  const [chosen, setChosen] = useState(current);
  return (
    <RightsForm
      isChanged={chosen !== current}
      {...form}
      onSave={() => save({ groupId: chosen || null }, t("person.saved"))}
    >
      <Select
        aria-label={t("person.title")}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
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
