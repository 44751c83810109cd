import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { accountRoles, mayGiveRole } from "#contract/accounts/roles.ts";
import { INVITATION_LIFE_DEFAULT_MS, INVITATION_NOTE_MAX } from "#contract/administration/invitations.ts";
import { DAY } from "#contract/limits.ts";
import { useSession } from "../../accounts/session/session.ts";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { GroupSelect, useGroups, useIsClosed } from "../groups/group-select.tsx";
import { invitationLives, MailChoice } from "../invitation-choices.tsx";
import { ListField, type ListText } from "./list-field.tsx";
import { ListPreview } from "./list-preview.tsx";
import { type ListLine, readList } from "./read-list.ts";
import type { BulkOptions } from "./use-bulk-invitations.ts";

/** Addresses of one list: ten times what an owner can mail in a day. */
const LIST_MAX = 5000;
const PREVIEW_DELAY_MS = 250;

type BulkFormProps = { onSubmit: (lines: readonly ListLine[], options: BulkOptions) => void; onCancel: () => void };

/** Form for the invitations of a list. Its heading takes the focus. */
export function BulkForm({ onSubmit, onCancel }: BulkFormProps) {
  const { t, i18n } = useTranslation(["bulk", "invitations"]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [list, setList] = useState<ListText>({ text: "", isFile: false });
  const [error, setError] = useState<string | null>(null);
  const [withNotes, setWithNotes] = useState(true);
  const settled = useDebounced(list, PREVIEW_DELAY_MS);
  const lines = useMemo(() => readList(settled.text, settled.isFile), [settled]);
  const count = lines.filter(isValid).length;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const current = readList(list.text, list.isFile);
    const valid = current.filter(isValid).length;
    if (valid === 0) return setError(t("empty"));
    if (valid > LIST_MAX) return setError(t("tooMany", { max: new Intl.NumberFormat(i18n.language).format(LIST_MAX) }));
    const values = Object.fromEntries(new FormData(event.currentTarget));
    const common = String(values.note ?? "").trim();
    const noted = current.map((line) => ({ ...line, note: (withNotes && line.note) || common }));
    onSubmit(noted, optionsOf(values));
  };

  return (
    <Section title={t("title")} text={t("text")} headingRef={heading}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5 p-4 sm:p-5">
        <ListField
          list={list}
          error={error}
          onError={setError}
          onChange={(changed) => {
            setError(null);
            setList(changed);
          }}
        />
        <ListPreview lines={lines} withNotes={withNotes} />
        {lines.some(({ note }) => note !== "") && (
          <label className="flex min-h-8 cursor-pointer items-center gap-3 text-sm pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={withNotes}
              onChange={({ target }) => setWithNotes(target.checked)}
              className="size-4.5 shrink-0 accent-accent"
            />
            {t("useNotes")}
          </label>
        )}
        <BulkFields />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onCancel}>
            {t("invitations:form.cancel")}
          </Button>
          <Button type="submit">{t("submit", { count })}</Button>
        </div>
      </form>
    </Section>
  );
}

const isValid = ({ problem }: ListLine) => problem === null;

function optionsOf(values: Record<string, FormDataEntryValue>): BulkOptions {
  const { role, lifeMs, groupId, mail } = values;
  const given = accountRoles.find((each) => each === role);
  return {
    ...(given !== undefined && { role: given }),
    lifeMs: Number(lifeMs),
    ...(typeof groupId === "string" && groupId !== "" && { groupId }),
    ...(mail === "on" && { mail: true }),
  };
}

/** What all invitations of the list have in common. */
function BulkFields() {
  const { t } = useTranslation(["bulk", "invitations", "administration", "groups"]);
  const { user } = useSession();
  const isManager = user?.role === "manager";
  const groups = useGroups();
  const isClosed = useIsClosed();
  const roles = isManager
    ? (["person"] as const)
    : accountRoles.filter((each) => mayGiveRole(user?.role ?? "person", each));
  return (
    <>
      {isManager && groups[0] && (
        <p className="text-pretty text-sm leading-text">{t("groups:invite.own", { name: groups[0].name })}</p>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField name="role" label={t("invitations:form.role")} defaultValue="person">
          {roles.map((each) => (
            <option key={each} value={each}>
              {t(`administration:roles.${each}`)}
            </option>
          ))}
        </SelectField>
        <SelectField name="lifeMs" label={t("invitations:form.life")} defaultValue={INVITATION_LIFE_DEFAULT_MS}>
          {invitationLives.map((life) => (
            <option key={life} value={life}>
              {t("invitations:form.days", { count: life / DAY })}
            </option>
          ))}
        </SelectField>
        {!isManager && groups.length > 0 && (
          <GroupSelect
            groups={groups}
            name="groupId"
            label={t("groups:group")}
            none={t("groups:noGroup")}
            isDisabled={isClosed}
          />
        )}
      </div>
      <Field
        name="note"
        label={t("invitations:form.note")}
        hint={t("noteHint")}
        maxLength={INVITATION_NOTE_MAX}
        autoComplete="off"
      />
      <MailChoice label={t("mail")} />
    </>
  );
}
