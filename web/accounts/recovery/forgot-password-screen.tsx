import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { forgotPasswordSchema } from "#contract/accounts/account-settings.ts";
import { noticeSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import { hasFinePointer } from "../../forms/has-fine-pointer.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AccountLayout } from "../account-layout.tsx";
import { NoMailServer } from "../no-mail-server.tsx";
import { PageHeading } from "../page-heading.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { typedName } from "../sign-in/path-after-sign-in.ts";
import { SuccessMark } from "../success-mark.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";
import { forgotErrorText } from "./recovery-texts.ts";

export function ForgotPasswordScreen() {
  const { t } = useTranslation(["accounts", "recovery"]);
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [name, setName] = useState(() => params.get("email") ?? typedName(state));
  const [sentence, setSentence] = useState<string | null>(null);
  const titleId = useId();
  if (sentence !== null) return <Sent sentence={sentence} onAgain={() => setSentence(null)} />;
  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("recovery:forgot.title")}>
        {t("recovery:forgot.text")}
      </PageHeading>
      <ForgotForm titleId={titleId} name={name} onName={setName} onSent={setSentence} />
      <BackToSignIn />
    </AccountLayout>
  );
}

type ForgotFormProps = {
  titleId: string;
  name: string;
  onName: (name: string) => void;
  onSent: (sentence: string) => void;
};

function ForgotForm({ titleId, name, onName, onSent }: ForgotFormProps) {
  const { t } = useTranslation(["accounts", "recovery"]);
  const form = useCheckedForm({
    schema: forgotPasswordSchema,
    labels: { email: t("fields.emailOrUsername") },
    isFocused: hasFinePointer(),
    textOf: forgotErrorText,
    send: async (request) => {
      onSent((await api.post(accountPaths.forgotPassword, request, noticeSchema)).message);
      return null;
    },
  });
  const { isSending, isHeld } = form;
  const submit = (event: FormEvent<HTMLFormElement>) =>
    isHeld ? event.preventDefault() : form.formProps.onSubmit(event);

  return (
    <form {...form.formProps} aria-labelledby={titleId} onSubmit={submit} className="flex flex-col gap-2">
      <Field
        {...form.fieldProps("email")}
        label={t("recovery:forgot.field")}
        defaultValue={name}
        onChange={(event) => {
          onName(event.currentTarget.value);
          // A wait may belong to the previous address.
          form.dismiss();
        }}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Button type="submit" size="large" busy={isSending} aria-disabled={isHeld || undefined} className="mt-1 w-full">
        {t(isSending ? "recovery:forgot.submitting" : "recovery:forgot.submit")}
      </Button>
      <ReservedFailureBanner failure={form.failure} />
    </form>
  );
}

/** Confirmation, identical for existing and unknown accounts to prevent account enumeration. */
function Sent({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
  const { t } = useTranslation(["accounts", "recovery"]);
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("recovery:forgot.sentTitle")}>{sentence}</PageHeading>
      <NoMailServer />
      <Button size="large" className="w-full" onClick={() => navigate("/login")}>
        {t("link.back")}
      </Button>
      <p className="mt-8 text-pretty text-muted text-sm">
        {t("recovery:forgot.nothingCame")}{" "}
        <button type="button" onClick={onAgain} className={textLink}>
          {t("recovery:forgot.again")}
        </button>
      </p>
    </AccountLayout>
  );
}
