import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../store/use-store.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { answerProof, leaveProof, proofQuestion } from "./proof.ts";
import { ProofStep } from "./proof-step.tsx";

/** Dialog for the proof that `withProof` awaits. Mounted once, for the shown page. */
export function ProofDialog({ section }: { section: string }) {
  const { t } = useTranslation("settings");
  const isOpen = useStore(proofQuestion)?.isInDialog === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question is closed with the section that asked it
  useEffect(() => leaveProof, [section]);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && answerProof(false)}
      title={t("proof.title")}
      description={t("proof.text")}
    >
      <ProofStep />
    </Dialog>
  );
}
