import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { emailField } from "#contract/accounts/accounts.ts";
import { accountRoles, mayGiveRole } from "#contract/accounts/roles.ts";
import {
  type CreatedInvitation,
  INVITATION_NOTE_MAX,
  INVITATION_USES_MAX,
  newInvitationSchema,
} from "#contract/administration/invitations.ts";
import { rule } from "#contract/text/validation.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { GroupSelect, useGroups, useIsClosed } from "../groups/group-select.tsx";
import { invitationsApi } from "../invitations-api.ts";
import { type InvitationKind, KindChoice, LifeField, PeopleField, TrustedChoice } from "./invite-fields.tsx";

const { role, note } = newInvitationSchema.shape;
const isCount = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= INVITATION_USES_MAX;

/** The form has the field `address` or the field `uses`. Numbers are texts: `z.coerce` would join every page's chunk. */
const formSchema = z.object({
  address: z.optional(emailField()),
  uses: z.optional(z.string().check(z.refine(isCount, { error: rule("invalid") }))),
  mail: z.optional(z.literal("on")),
  trustedOnly: z.optional(z.literal("on")),
  role,
  lifeMs: z.string(),
  /** Empty for none; absent if there is nothing to choose. */
  groupId: z.optional(z.string()),
  note,
});
type FormValues = z.infer<typeof formSchema>;

type InviteFormProps = {
  /** Whether a class code can be limited to trusted networks. */
  hasTrustedNetworks: boolean;
  onCreated: (created: CreatedInvitation, isMailed: boolean) => void;
  onCancel: () => void;
};

/** Form for an invitation: of one address, a link for several people, or a class code. Its heading takes the focus. */
export function InviteForm({ hasTrustedNetworks, onCreated, onCancel }: InviteFormProps) {
  const { t } = useTranslation(["invitations", "groups"]);
  const { user } = useSession();
  const isManager = user?.role === "manager";
  const groups = useGroups();
  const isClosed = useIsClosed();
  const heading = useRef<HTMLHeadingElement>(null);
  const [kind, setKind] = useState<InvitationKind>("one");
  const isCode = kind === "class";
  const form = useCheckedForm({
    schema: formSchema,
    labels: { address: t("fields.address"), uses: t("fields.uses"), note: t("fields.note") },
    textOf: failureText,
    send: async ({ mail, trustedOnly, uses, lifeMs, groupId, ...invitation }: FormValues) => {
      const request = {
        ...invitation,
        lifeMs: Number(lifeMs),
        ...(uses !== undefined && { uses: Number(uses) }),
        ...(mail && { mail: true }),
        ...(groupId && { groupId }),
        ...(isCode && { classCode: true }),
        ...(trustedOnly && { trustedOnly: true }),
      };
      onCreated(await withProof(() => invitationsApi.create(request)), mail !== undefined);
      return null;
    },
  });
  useEffect(() => heading.current?.focus(), []);

  return (
    <Section title={t("invite")} headingRef={heading}>
      <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
        <FailureBanner failure={form.failure} />
        <KindChoice kind={kind} onChange={setKind} />
        <PeopleField kind={kind} form={form} />
        {isManager && groups[0] && (
          <p className="text-pretty text-sm leading-text">{t("groups:invite.own", { name: groups[0].name })}</p>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          {!isCode && <RoleField />}
          <LifeField isCode={isCode} />
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
        {isCode && hasTrustedNetworks && <TrustedChoice />}
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

/** The role of the invited accounts: those that the person may give. */
function RoleField() {
  const { t } = useTranslation(["invitations", "administration"]);
  const { user } = useSession();
  const own = user?.role ?? "person";
  const roles = own === "manager" ? (["person"] as const) : accountRoles.filter((each) => mayGiveRole(own, each));
  return (
    <SelectField name="role" label={t("form.role")} defaultValue="person">
      {roles.map((each) => (
        <option key={each} value={each}>
          {t(`administration:roles.${each}`)}
        </option>
      ))}
    </SelectField>
  );
}
