import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration.ts";
import { type AccountRole, accountRoles, mayGiveRole } from "#contract/roles.ts";
import { useSession } from "../../accounts/session/session.ts";
import { useAction } from "../../settings/form/use-action.ts";
import { withProof } from "../../settings/proof/proof.ts";
import { Select } from "../../ui/components/select.tsx";
import { administrationApi } from "../administration-api.ts";
import { RightsForm } from "./rights-form.tsx";

type RoleFormProps = { account: AdministeredAccount; onChange: (account: AdministeredAccount) => void };

/** Gives an account another role. Only owners can name administrators and owners. */
export function RoleForm({ account, onChange }: RoleFormProps) {
  const { t } = useTranslation("administration");
  const { user } = useSession();
  const { run, busy, failure } = useAction<"role">();
  const [chosen, setChosen] = useState<AccountRole>(account.role);
  const [told, setTold] = useState<string | null>(null);
  const offered = accountRoles.filter((role) => mayGiveRole(user?.role ?? "person", role) || role === account.role);
  const isChanged = chosen !== account.role;
  const save = () =>
    run("role", async () => {
      setTold(null);
      onChange(await withProof(() => administrationApi.changeAccount(account.id, { role: chosen })));
      setTold(t("person.roleSaved"));
    });
  return (
    <RightsForm isChanged={isChanged} isBusy={busy !== null} failure={failure} told={told} onSave={() => void save()}>
      <Select
        aria-label={t("person.roleTitle")}
        value={chosen}
        onChange={({ target }) => setChosen(accountRoles.find((role) => role === target.value) ?? account.role)}
        className="min-w-48 flex-1"
      >
        {offered.map((role) => (
          <option key={role} value={role}>
            {t(`roles.${role}`)}
          </option>
        ))}
      </Select>
    </RightsForm>
  );
}
