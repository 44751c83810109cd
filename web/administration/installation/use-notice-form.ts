import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NOTICE_MAX } from "#contract/administration/new-site-notice.ts";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { installationApi } from "./installation-api.ts";
import { fromLocalInput, toLocalInput } from "./local-input.ts";

type Draft = { text: string; until: string };

const draftFrom = (notice: SiteNotice | null): Draft => ({
  text: notice?.text ?? "",
  until: notice?.until === undefined ? "" : toLocalInput(notice.until),
});

const isTooLong = (text: string) => text.trim().length > NOTICE_MAX;

/** Edits, shows and removes the notice. `onChanged` reads it again. `preview`: the edited text, if it can be shown. */
export function useNoticeForm(notice: SiteNotice | null, onChanged: () => Promise<void>) {
  const { t } = useTranslation("installation");
  const { run, busy, failure } = useAction<"show" | "remove">();
  const [edited, setEdited] = useState<Partial<Draft> | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const { text, until } = { ...draftFrom(notice), ...edited };
  const end = fromLocalInput(until);
  const isEmpty = text.trim() === "";
  const problems = {
    text: isEmpty ? t("notice.required") : isTooLong(text) ? t("problem.tooLong", { max: NOTICE_MAX }) : undefined,
    until: end !== undefined && end <= Date.now() ? t("notice.past") : undefined,
  };
  const edit = (change: Partial<Draft>) => {
    setConfirmation(null);
    setEdited({ ...edited, ...change });
  };
  const finish = async (sentence: string) => {
    await onChanged();
    setEdited(null);
    setChecked(false);
    setConfirmation(sentence);
  };
  const show = () => {
    setChecked(true);
    if (problems.text ?? problems.until) return;
    void run("show", async () => {
      // A notice is replaced as a whole: the field that was not edited is the newest one of another administrator.
      const { notice: newest } = await installationApi.readNotice();
      const shown = newest ?? { text, until: end };
      const newEnd = edited?.until === undefined ? shown.until : end;
      const request = { text: edited?.text ?? shown.text, ...(newEnd !== undefined && { until: newEnd }) };
      await withProof(() => installationApi.showNotice(request));
      await finish(t("notice.shown"));
    });
  };
  const remove = () =>
    run("remove", async () => {
      await withProof(() => installationApi.removeNotice());
      await finish(t("notice.removed"));
    });
  return {
    text,
    until,
    errors: isChecked ? problems : null,
    preview: isEmpty || isTooLong(text) ? null : text.trim(),
    isEdited: edited !== null,
    edit,
    busy,
    failure,
    confirmation,
    submit: () => {
      if (busy === null && edited !== null) show();
    },
    remove,
  };
}
