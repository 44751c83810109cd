import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import type { Failure } from "../../forms/use-sending.ts";
import { Button } from "../../ui/components/button.tsx";

type RightsFormProps = {
  isChanged: boolean;
  isBusy: boolean;
  failure: Failure | null;
  /** What was saved. */
  confirmation: string | null;
  onSave: () => void;
  children: ReactNode;
};

/** Form of one field with a button that saves it, if it was changed. */
export function RightsForm({ isChanged, isBusy, failure, confirmation, onSave, children }: RightsFormProps) {
  const { t } = useTranslation("administration");
  return (
    <form
      className="flex flex-col gap-3 p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onSave();
      }}
    >
      <FailureBanner failure={failure} />
      <div className="flex flex-wrap items-end gap-3">
        {children}
        <Button
          type="submit"
          variant={isChanged ? "primary" : "secondary"}
          className="min-h-11"
          busy={isBusy}
          aria-disabled={!isChanged || isBusy || undefined}
        >
          {t("person.save")}
        </Button>
      </div>
      <div className={confirmation === null ? "sr-only" : undefined}>
        <FormStatus text={confirmation} />
      </div>
    </form>
  );
}
