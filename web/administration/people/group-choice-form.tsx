import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration.ts";
import type { AccountGroup } from "#contract/groups.ts";
import { useAction } from "../../settings/form/use-action.ts";
import { withProof } from "../../settings/proof/proof.ts";
import { Select } from "../../ui/components/select.tsx";
import { administrationApi } from "../administration-api.ts";
import { useIsClosed } from "../groups/group-select.tsx";
import { RightsForm } from "./rights-form.tsx";

type GroupChoiceFormProps = {
  account: AdministeredAccount;
  groups: readonly AccountGroup[];
  onChange: (account: AdministeredAccount) => void;
};

/** Moves an account to another group, or to none. */
export function GroupChoiceForm({ account, groups, onChange }: GroupChoiceFormProps) {
  const { t } = useTranslation("groups");
  const { run, busy, failure } = useAction<"group">();
  const isClosed = useIsClosed();
  const current = account.group?.id ?? "";
  const [chosen, setChosen] = useState(current);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const save = () =>
    run("group", async () => {
      setConfirmation(null);
      onChange(await withProof(() => administrationApi.changeAccount(account.id, { groupId: chosen || null })));
      setConfirmation(t("person.saved"));
    });
  return (
    <RightsForm
      isChanged={chosen !== current}
      isBusy={busy !== null}
      failure={failure}
      confirmation={confirmation}
      onSave={() => void save()}
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
