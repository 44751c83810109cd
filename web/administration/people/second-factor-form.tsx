import { useTranslation } from "react-i18next";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { RightsForm } from "./rights-form.tsx";
import { type RightsProps, useRightsForm } from "./use-rights-form.ts";

/** Requires a second factor of an account. */
export function SecondFactorForm(props: RightsProps) {
  const { t } = useTranslation("administration");
  const { needsSecondFactor: current } = props.account;
  const { value, setValue, form } = useRightsForm(props, {
    current,
    toChange: (needsSecondFactor) => (needsSecondFactor === current ? null : { needsSecondFactor }),
    saved: t("person.saved"),
  });
  return (
    <RightsForm {...form}>
      <div className="min-w-48 flex-1 self-center">
        <CheckField
          label={t("person.needsSecondFactor")}
          checked={value}
          onChange={({ currentTarget }) => setValue(currentTarget.checked)}
        />
      </div>
    </RightsForm>
  );
}
