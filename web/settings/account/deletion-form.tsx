import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { forgetSession, useSession } from "../../accounts/session/session.ts";
import { StoredEventPosition } from "../../api/events/stored-event-position.ts";
import { forgetOpenFolders } from "../../chats/open-folders.ts";
import { Drafts } from "../../conversation/stored-drafts.ts";
import { deleteStoredFiles } from "../../files/files-database.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { longDate } from "../../locales/times.ts";
import { HEIGHTS_KEY } from "../../markdown/diagrams/diagram-limits.ts";
import { OwnModels } from "../../models/own-models.ts";
import { withProof } from "../../proof/proof.ts";
import { writeStorage } from "../../storage/browser-storage.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { settingsApi } from "../settings-api.ts";
import { DeletionChoice } from "./deletion-choice.tsx";

type DeletionFormProps = {
  onCancel: () => void;
  /** Called when the deletion starts, and when it has failed or succeeded. */
  onDeleting: (isDeleting: boolean) => void;
};

/** Form that explains what is deleted and when, and requires the typed username. */
export function DeletionForm({ onCancel, onDeleting }: DeletionFormProps) {
  const { t, i18n } = useTranslation("settings");
  const { user } = useSession();
  const [isImmediate, setImmediate] = useState(false);
  const [typed, setTyped] = useState("");
  const { run, busy, failure } = useAction<"delete">();
  const username = user?.username ?? "";
  const isDeleting = busy !== null;
  const isConfirmed = username !== "" && typed.trim() === username;

  const remove = async () => {
    const { deleteAt } = await withProof(() => settingsApi.deleteAccount(isImmediate), true);
    forgetAccount(user?.id ?? "");
    const date = deleteAt === null ? null : longDate(deleteAt, i18n.language);
    notify("info", date === null ? t("deletion.doneNow") : t("deletion.doneLater", { date }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed || isDeleting) return;
    onDeleting(true);
    await run("delete", remove);
    onDeleting(false);
  };
  const action = isImmediate ? t("deletion.submitNow") : t("deletion.submitLater");

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <ul className="-mt-2 flex list-disc flex-col gap-1 ps-5 text-sm leading-text marker:text-muted">
        {t("deletion.goes", { returnObjects: true }).map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
      <DeletionChoice isImmediate={isImmediate} onChange={setImmediate} />
      <Field
        label={t("deletion.confirm", { username })}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <FailureBanner failure={failure} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button
          variant="secondary"
          aria-disabled={isDeleting || undefined}
          onClick={() => {
            if (!isDeleting) onCancel();
          }}
        >
          {t("form.cancel")}
        </Button>
        <Button
          type="submit"
          variant="danger"
          busy={isDeleting}
          aria-disabled={isDeleting || undefined}
          disabled={!isConfirmed}
        >
          {isDeleting ? t("deletion.submitting") : action}
        </Button>
      </div>
    </form>
  );
}

/** Clears the person's data in this browser, as a sign-out does; the server has ended the session already. */
function forgetAccount(id: string): void {
  new Drafts(id).clear();
  deleteStoredFiles(id);
  new OwnModels(id).forget();
  forgetOpenFolders(id);
  writeStorage(HEIGHTS_KEY, null);
  new StoredEventPosition(id).forget();
  forgetSession();
}
