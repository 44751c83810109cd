import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Section } from "../section.tsx";
import { DeletionForm } from "./deletion-form.tsx";

export function DeleteAccount() {
  const { t } = useTranslation("settings");
  const [isOpen, setOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Section title={t("deletion.title")} tone="danger">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
        <p className="min-w-0 flex-1 basis-56 text-muted text-sm leading-text">{t("deletion.text")}</p>
        <Button variant="dangerous" size="small" onClick={() => setOpen(true)}>
          {t("deletion.open")}
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        isHeld={isDeleting}
        title={t("deletion.dialogTitle")}
        description={t("deletion.dialogText")}
      >
        <DeletionForm onCancel={() => setOpen(false)} onDeleting={setDeleting} />
      </Dialog>
    </Section>
  );
}
