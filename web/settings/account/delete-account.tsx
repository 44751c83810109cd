import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../../page/section.tsx";
import { answerProof, proofQuestion } from "../../proof/proof.ts";
import { ProofStep } from "../../proof/proof-step.tsx";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { DeletionForm } from "./deletion-form.tsx";

export function DeleteAccount() {
  const { t } = useTranslation("settings");
  const [isOpen, setOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const isProving = useStore(proofQuestion)?.isInDialog ?? false;
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
        onOpenChange={(open) => (isProving ? answerProof(false) : setOpen(open))}
        isHeld={isDeleting && !isProving}
        title={t(isProving ? "proof.title" : "deletion.dialogTitle")}
        description={t(isProving ? "proof.text" : "deletion.dialogText")}
      >
        <Steps isProving={isProving}>
          <DeletionForm onCancel={() => setOpen(false)} onDeleting={setDeleting} />
        </Steps>
      </Dialog>
    </Section>
  );
}

/** Shows the proof in place of the form. The form stays mounted, with all that was typed, and gets its focus back. */
function Steps({ isProving, children }: { isProving: boolean; children: ReactNode }) {
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isProving) focused.current = document.activeElement;
    else if (focused.current instanceof HTMLElement) focused.current.focus();
  }, [isProving]);
  return (
    <>
      <div hidden={isProving}>{children}</div>
      {isProving && <ProofStep />}
    </>
  );
}
