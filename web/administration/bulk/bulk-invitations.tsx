import bulkTexts from "../../locales/en/bulk.json";
import { registerTexts } from "../../locales/i18n.ts";
import { BulkForm } from "./bulk-form.tsx";
import { BulkReport } from "./bulk-report.tsx";
import { useBulkInvitations } from "./use-bulk-invitations.ts";

registerTexts("bulk", bulkTexts);

type BulkInvitationsProps = { onChanged: () => void; onClose: () => void };

/** Invites the addresses of a list: a form with a preview, then the report of its lines. */
export function BulkInvitations({ onChanged, onClose }: BulkInvitationsProps) {
  const sending = useBulkInvitations(onChanged);
  if (sending.lines === null) return <BulkForm onSubmit={sending.start} onCancel={onClose} />;
  return <BulkReport sending={sending} lines={sending.lines} onClose={onClose} />;
}
