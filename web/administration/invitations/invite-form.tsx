import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { emailField } from "#contract/accounts.ts";
import {
  type CreatedInvitation,
  INVITATION_LIFE_DEFAULT_MS,
  INVITATION_NOTE_MAX,
  INVITATION_USES_MAX,
  newInvitationSchema,
} from "#contract/invitations.ts";
import { DAY } from "#contract/limits.ts";
import { accountRoles, mayGiveRole } from "#contract/roles.ts";
import { rule } from "#contract/text/validation.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { failureText } from "../../settings/form/failure-text.ts";
import { FormFooter } from "../../settings/form/form-footer.tsx";
import { withProof } from "../../settings/proof/proof.ts";
import { Section } from "../../settings/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/field.tsx";
import { RadioChoices } from "../../ui/components/radio-choices.tsx";
import { SelectField } from "../../ui/components/select-field.tsx";
import { GroupSelect, useGroups, useIsClosed } from "../groups/group-select.tsx";
import { invitationLives, MailChoice } from "../invitation-choices.tsx";
import { invitationsApi } from "../invitations-api.ts";

const USES_DEFAULT = "10";

const { role, note } = newInvitationSchema.shape;
const isCount = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= INVITATION_USES_MAX;

/** The form has the field `address` or the field `uses`. Numbers are texts: `z.coerce` would join every page's chunk. */
const formSchema = z.object({
  address: z.optional(emailField()),
  uses: z.optional(z.string().check(z.refine(isCount, { error: rule("invalid") }))),
  mail: z.optional(z.literal("on")),
  role,
  lifeMs: z.string(),
  /** Empty for none; absent if there is nothing to choose. */
  groupId: z.optional(z.string()),
  note,
});
type FormValues = z.infer<typeof formSchema>;

type InviteFormProps = {
  onCreated: (created: CreatedInvitation, isMailed: boolean) => void;
  onCancel: () => void;
};

/** Form for an invitation: of one address, or a link for several people. Its heading takes the focus. */
export function InviteForm({ onCreated, onCancel }: InviteFormProps) {
  const { t } = useTranslation(["invitations", "administration", "groups"]);
  const { user } = useSession();
  const isManager = user?.role === "manager";
  const groups = useGroups();
  const isClosed = useIsClosed();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isForOne, setForOne] = useState(true);
  const form = useCheckedForm({
    schema: formSchema,
    labels: { address: t("fields.address"), uses: t("fields.uses"), note: t("fields.note") },
    textOf: failureText,
    send: async ({ mail, uses, lifeMs, groupId, ...invitation }: FormValues) => {
      const request = {
        ...invitation,
        lifeMs: Number(lifeMs),
        ...(uses !== undefined && { uses: Number(uses) }),
        ...(mail && { mail: true }),
        ...(groupId && { groupId }),
      };
      onCreated(await withProof(() => invitationsApi.create(request)), mail !== undefined);
      return null;
    },
  });
  useEffect(() => heading.current?.focus(), []);
  const roles = isManager
    ? (["person"] as const)
    : accountRoles.filter((each) => mayGiveRole(user?.role ?? "person", each));

  return (
    <Section title={t("invite")} headingRef={heading}>
      <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
        <FailureBanner failure={form.failure} />
        <WhoChoice isForOne={isForOne} onChange={setForOne} />
        {isForOne ? (
          <div className="flex flex-col gap-2">
            <Field
              label={t("form.address")}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...form.fieldProps("address")}
            />
            <MailChoice label={t("form.mail")} />
          </div>
        ) : (
          <Field
            label={t("form.uses")}
            hint={t("form.usesHint", { max: INVITATION_USES_MAX })}
            type="number"
            inputMode="numeric"
            min={1}
            max={INVITATION_USES_MAX}
            defaultValue={USES_DEFAULT}
            {...form.fieldProps("uses")}
          />
        )}
        {isManager && groups[0] && (
          <p className="text-pretty text-sm leading-text">{t("groups:invite.own", { name: groups[0].name })}</p>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField name="role" label={t("form.role")} defaultValue="person">
            {roles.map((each) => (
              <option key={each} value={each}>
                {t(`administration:roles.${each}`)}
              </option>
            ))}
          </SelectField>
          <SelectField name="lifeMs" label={t("form.life")} defaultValue={INVITATION_LIFE_DEFAULT_MS}>
            {invitationLives.map((life) => (
              <option key={life} value={life}>
                {t("form.days", { count: life / DAY })}
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
          label={t("form.note")}
          hint={t("form.noteHint")}
          maxLength={INVITATION_NOTE_MAX}
          autoComplete="off"
          {...form.fieldProps("note")}
          required={false}
        />
        <FormFooter form={form} submit={t("form.submit")} submitting={t("form.submitting")}>
          <Button variant="quiet" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </FormFooter>
      </form>
    </Section>
  );
}

type WhoChoiceProps = { isForOne: boolean; onChange: (isForOne: boolean) => void };

function WhoChoice({ isForOne, onChange }: WhoChoiceProps) {
  const { t } = useTranslation("invitations");
  const choices = [
    { value: true, title: t("form.one"), text: t("form.oneText") },
    { value: false, title: t("form.several"), text: t("form.severalText") },
  ];
  return <RadioChoices label={t("form.who")} choices={choices} value={isForOne} onChange={onChange} />;
}
