import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { PASSKEY_NAME_MAX, type Passkey, type PasskeyList } from "#contract/accounts/passkeys.ts";
import { rule } from "#contract/text/validation.ts";
import { CodeForm } from "../../accounts/second-factor/code-form.tsx";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { longDate } from "../../locales/times.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import type { QueryResult } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { usePasskeys } from "./use-passkeys.ts";

type PasskeysSectionProps = {
  passkeys: QueryResult<PasskeyList>;
  hasSecondFactor: boolean;
  /** Called after one was added or removed, which ends the sessions that began by one. */
  onChanged: () => void;
};

/** Passkeys of the account: added, renamed and removed. */
export function PasskeysSection({ passkeys, hasSecondFactor, onChanged }: PasskeysSectionProps) {
  const { t } = useTranslation("secondFactor");
  const heading = useRef<HTMLHeadingElement>(null);
  const state = usePasskeys(passkeys, { heading, needsCode: hasSecondFactor, onChanged });
  const { value: list, error, reload } = passkeys;
  const { step, busy, failure, problem, confirmation } = state;
  const removed = step?.kind === "remove" ? step.passkey : null;
  return (
    <Section
      title={t("passkeys.title")}
      text={t("passkeys.text")}
      headingRef={heading}
      action={
        list !== null &&
        list.unavailable === undefined &&
        step?.kind !== "code" && (
          <Button
            variant="secondary"
            size="small"
            busy={busy === "add"}
            aria-disabled={busy !== null || undefined}
            onClick={state.add}
          >
            {t("passkeys.add")}
          </Button>
        )
      }
    >
      {(failure || problem !== null) && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={failure} />
          {problem !== null && <Banner tone="error">{problem}</Banner>}
        </div>
      )}
      {error !== null && (
        <div className="p-4 sm:p-5">
          <LoadFailure error={error} onRetry={reload} />
        </div>
      )}
      {list === null && error === null && <LinesLoading lines={1} />}
      {step?.kind === "code" && (
        <CodeForm
          label={t("code")}
          hint={t("codeHint")}
          submit={t("passkeys.add")}
          submitting={t("passkeys.adding")}
          onSend={state.sendCode}
          onCancel={state.close}
        />
      )}
      {list !== null && step?.kind !== "code" && (
        <div className="divide-y divide-hairline">
          {list.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} {...state} />
          ))}
          <Vacancy list={list} />
        </div>
      )}
      <FormStatusLine text={confirmation} />
      <ConfirmDialog
        isOpen={removed !== null}
        onOpenChange={state.close}
        title={t("passkeys.removeTitle", { name: removed?.name ?? "" })}
        description={t("passkeys.removeText")}
        confirmLabel={t("passkeys.remove")}
        onConfirm={() => removed && state.remove(removed)}
      />
    </Section>
  );
}

/** Why there can be no passkeys, or that there are none. */
function Vacancy({ list: { passkeys, unavailable } }: { list: PasskeyList }) {
  const { t } = useTranslation("secondFactor");
  if (unavailable === undefined && passkeys.length > 0) return null;
  return <p className="px-4 py-4 text-muted text-sm sm:px-5">{t(`passkeys.${unavailable ?? "empty"}`)}</p>;
}

type State = ReturnType<typeof usePasskeys>;

function PasskeyRow({ passkey, step, open, close, rename, busy }: State & { passkey: Passkey }) {
  const { t, i18n } = useTranslation("secondFactor");
  const { name, createdAt, lastUsedAt, otherHost, isRestored } = passkey;
  if (step?.kind === "rename" && step.passkey.id === passkey.id) {
    return <NameForm passkey={passkey} onSend={(typed) => rename(passkey, typed)} onCancel={close} />;
  }
  return (
    <Row
      title={name}
      text={
        <>
          {t("passkeys.created", { date: longDate(createdAt, i18n.language) })} <PasskeyUse at={lastUsedAt} />
          {otherHost !== undefined && <Remark>{t("passkeys.otherHost", { host: otherHost })}</Remark>}
          {isRestored && <Remark>{t("passkeys.restored")}</Remark>}
        </>
      }
    >
      <div className="flex gap-2">
        <Button
          variant="secondary"
          size="small"
          aria-label={t("passkeys.renameLabel", { name })}
          onClick={() => open({ kind: "rename", passkey })}
        >
          {t("passkeys.rename")}
        </Button>
        <Button
          variant="dangerous"
          size="small"
          busy={busy === "remove" && step?.kind === "remove" && step.passkey.id === passkey.id}
          aria-disabled={busy !== null || undefined}
          onClick={() => busy === null && open({ kind: "remove", passkey })}
        >
          {t("passkeys.remove")}
        </Button>
      </div>
    </Row>
  );
}

/** Sentence on the last use of a passkey. */
export function PasskeyUse({ at }: { at: number | null }) {
  const { t } = useTranslation("secondFactor");
  return at === null ? (
    t("passkeys.neverUsed")
  ) : (
    <TimeAgo at={at} sentence={(time) => t("passkeys.lastUsed", { time })} />
  );
}

const Remark = ({ children }: { children: ReactNode }) => <span className="block text-warning">{children}</span>;

const nameSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, { error: rule("required") }), z.maxLength(PASSKEY_NAME_MAX)),
});

type NameFormProps = { passkey: Passkey; onSend: (name: string) => Promise<void>; onCancel: () => void };

function NameForm({ passkey, onSend, onCancel }: NameFormProps) {
  const { t } = useTranslation("secondFactor");
  const form = useCheckedForm({
    schema: nameSchema,
    labels: { name: t("passkeys.name") },
    textOf: failureText,
    isFocused: true,
    send: async ({ name }) => {
      await onSend(name);
      return null;
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4 p-4 sm:p-5">
      <FailureBanner failure={form.failure} />
      <Field
        {...form.fieldProps("name")}
        label={t("passkeys.name")}
        defaultValue={passkey.name}
        className="max-w-72"
        maxLength={PASSKEY_NAME_MAX}
        autoComplete="off"
      />
      <FormFooter form={form} submit={t("passkeys.save")} submitting={t("passkeys.saving")}>
        <Button variant="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}
