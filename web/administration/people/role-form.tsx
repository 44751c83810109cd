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

type RoleFormProps = {
  account: AdministeredAccount;
  onChange: (account: AdministeredAccount) => void;
  /** Reports whether the role of an owner is chosen, which is offered instead of given. */
  onOwner: (isChosen: boolean) => void;
};

/** Gives an account another role. Only owners can name administrators, and offer ownership. */
export function RoleForm({ account, onChange, onOwner }: RoleFormProps) {
  const { t } = useTranslation("administration");
  const { user } = useSession();
  const { run, busy, failure } = useAction<"role">();
  const [chosen, setChosen] = useState<AccountRole>(account.role);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const own = user?.role ?? "person";
  const mayOffer = own === "owner" && account.state === "active" && account.ownershipOffer === undefined;
  const isOffered = (role: AccountRole) =>
    role === account.role || role === chosen || mayGiveRole(own, role) || (role === "owner" && mayOffer);
  const offered = accountRoles.filter(isOffered);
  const isChanged = chosen !== account.role && chosen !== "owner";
  const save = () =>
    run("role", async () => {
      setConfirmation(null);
      onChange(await withProof(() => administrationApi.changeAccount(account.id, { role: chosen })));
      setConfirmation(t("person.roleSaved"));
    });
  return (
    <RightsForm
      isChanged={isChanged}
      isBusy={busy !== null}
      failure={failure}
      confirmation={confirmation}
      onSave={() => void save()}
    >
      <Select
        aria-label={t("person.roleTitle")}
        value={chosen}
        onChange={({ target }) => {
          const role = offered.find((each) => each === target.value) ?? account.role;
          setChosen(role);
          onOwner(role === "owner" && account.role !== "owner");
        }}
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
