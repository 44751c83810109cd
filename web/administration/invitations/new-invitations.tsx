import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CreatedInvitation } from "#contract/administration/invitations.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import { Button } from "../../ui/components/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import type { CreatedClassCode } from "./created-class-code.ts";
import { CreatedCode } from "./created-code.tsx";
import { CreatedLink } from "./created-link.tsx";
import { InviteForm } from "./invite-form.tsx";

const bulkModule = lazyModule(() => import("../bulk/bulk-invitations.tsx"));

/** What a new invitation shows; `text` is announced to screen readers. */
type Created = { text: string } & ({ link: string } | CreatedClassCode);

type NewInvitationsProps = {
  hasTrustedNetworks: boolean;
  /** Called when a form opens. */
  onOpen: () => void;
  /** Called after invitations were created. */
  onCreated: () => void;
};

/** Creates one invitation or many: two buttons, then the form of one of them, then the new link or class code. */
export function NewInvitations({ hasTrustedNetworks, onOpen, onCreated }: NewInvitationsProps) {
  const { t } = useTranslation("invitations");
  const form = useReveal();
  const bulk = useReveal();
  const bulkForm = useLazyModule(bulkModule, bulk.isOpen, bulk.close);
  const [created, setCreated] = useState<Created | null>(null);
  const finish = (answer: CreatedInvitation, isMailed: boolean) => {
    const { invitation, link, code } = answer;
    const { address } = invitation;
    const forOne = isMailed ? "created.mailed" : "created.forOne";
    const text = address === undefined ? t("created.text") : t(forOne, { address });
    setCreated(code === undefined ? { link, text } : { ...answer, code, text: t("createdCode.title") });
    onCreated();
  };
  const close = () => {
    setCreated(null);
    form.close();
  };
  return (
    <>
      {!form.isOpen && !bulk.isOpen && (
        <div className="mt-6 flex flex-wrap gap-3">
          <Button
            ref={form.trigger}
            onClick={() => {
              onOpen();
              form.open();
            }}
          >
            {t("invite")}
          </Button>
          <Button
            variant="secondary"
            ref={bulk.trigger}
            onClick={() => {
              onOpen();
              bulk.open();
            }}
          >
            {t("inviteSeveral")}
          </Button>
        </div>
      )}
      {bulkForm && <bulkForm.BulkInvitations onChanged={onCreated} onClose={bulk.close} />}
      {form.isOpen && !created && (
        <InviteForm hasTrustedNetworks={hasTrustedNetworks} onCreated={finish} onCancel={form.close} />
      )}
      {created && "code" in created && <CreatedCode created={created} onClose={close} />}
      {created && !("code" in created) && <CreatedLink {...created} onClose={close} />}
      <p role="status" className="sr-only">
        {created?.text}
      </p>
    </>
  );
}
