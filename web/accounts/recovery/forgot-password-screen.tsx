import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { forgotPasswordSchema } from "#contract/account-settings.ts";
import { noticeSchema } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { fieldIssues } from "#contract/validation.ts";
import { api } from "../../api/client.ts";
import { issueText } from "../../api/problem-text.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { textLink } from "../../ui/text-link.ts";
import { AccountLayout } from "../account-layout.tsx";
import { forgotErrorText } from "../error-texts.ts";
import { FailureBanner } from "../failure-banner.tsx";
import { PageHeading } from "../page-heading.tsx";
import { typedName } from "../path-after-sign-in.ts";
import { SuccessMark } from "../success-mark.tsx";
import { useWait } from "../use-wait.ts";

export function ForgotPasswordScreen() {
  const { t } = useTranslation("accounts");
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [name, setName] = useState(() => params.get("email") ?? typedName(state));
  const [sentence, setSentence] = useState<string | null>(null);
  const titleId = useId();
  if (sentence !== null) return <Sent sentence={sentence} onAgain={() => setSentence(null)} />;
  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("forgot.title")}>
        {t("forgot.text")}
      </PageHeading>
      <ForgotForm titleId={titleId} name={name} onName={setName} onSent={setSentence} />
      <p className="mt-8 text-sm">
        <Link to="/login" className={textLink}>
          {t("forgot.back")}
        </Link>
      </p>
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
  const { t } = useTranslation("accounts");
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<{ text: string; error: unknown } | null>(null);
  const [isSending, setSending] = useState(false);
  const { leftMs } = useWait(failure?.error);
  const isHeld = isSending || leftMs > 0;
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // On a phone the keyboard would cover the page before it was seen.
    if (window.matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);

  const send = async (email: string) => {
    setFailure(null);
    setSending(true);
    try {
      onSent((await api.post(paths.forgotPassword, { email }, noticeSchema)).message);
    } catch (cause) {
      setFailure({ text: forgotErrorText(cause), error: cause });
      setSending(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isHeld) return;
    const checked = forgotPasswordSchema.safeParse({ email: name });
    const [issue] = fieldIssues(checked.error?.issues ?? []);
    setError(issue && issueText(issue, t("fields.emailOrUsername")));
    if (checked.success) void send(checked.data.email);
    else field.current?.focus();
  };

  return (
    <form noValidate aria-labelledby={titleId} onSubmit={submit} className="flex flex-col gap-5">
      {failure && <FailureBanner text={failure.text} error={failure.error} />}
      <Field
        ref={field}
        label={t("forgot.field")}
        value={name}
        onChange={(event) => {
          onName(event.target.value);
          setError(undefined);
          // A wait may have been for the address before.
          setFailure(null);
        }}
        error={error}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <Button type="submit" size="large" busy={isSending} aria-disabled={isHeld || undefined} className="mt-1 w-full">
        {t(isSending ? "forgot.submitting" : "forgot.submit")}
      </Button>
    </form>
  );
}

/** The same for an account that there is and for one that there is not. */
function Sent({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  return (
    <AccountLayout>
      <SuccessMark />
      <PageHeading title={t("forgot.sentTitle")}>{sentence}</PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate("/login")}>
        {t("forgot.back")}
      </Button>
      <p className="mt-8 text-pretty text-muted text-sm">
        {t("forgot.nothingCame")}{" "}
        <button type="button" onClick={onAgain} className={textLink}>
          {t("forgot.again")}
        </button>
      </p>
    </AccountLayout>
  );
}
