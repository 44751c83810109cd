import { useTranslation } from "react-i18next";
import { type AccountRole, accountRoles, mayGiveRole } from "#contract/accounts/roles.ts";
import { useSession } from "../../accounts/session/session.ts";
import { Select } from "../../ui/components/fields/select.tsx";
import { RightsForm } from "./rights-form.tsx";
import { type RightsProps, useRightsForm } from "./use-rights-form.ts";

type RoleFormProps = RightsProps & {
  /** Reports whether the role of an owner is chosen, which is offered instead of given. */
  onOwner: (isChosen: boolean) => void;
};

/** Gives an account another role. Only owners can name administrators, and offer ownership. */
export function RoleForm({ account, onChange, onOwner }: RoleFormProps) {
  const { t } = useTranslation("administration");
  const { user } = useSession();
  const {
    value: chosen,
    setValue: setChosen,
    form,
  } = useRightsForm<AccountRole>(
    { account, onChange },
    {
      current: account.role,
      toChange: (role) => (role === account.role || role === "owner" ? null : { role }),
      saved: t("person.roleSaved"),
    },
  );
  const own = user?.role ?? "person";
  const mayOffer = own === "owner" && account.state === "active" && account.ownershipOffer === undefined;
  const isOffered = (role: AccountRole) =>
    role === account.role || role === chosen || mayGiveRole(own, role) || (role === "owner" && mayOffer);
  const offered = accountRoles.filter(isOffered);
  return (
    <RightsForm {...form}>
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
