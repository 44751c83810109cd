import { useState } from "react";
import { useTranslation } from "react-i18next";
import { noticeSchema, RESEND_SUCCESS, resendSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import { ruleText, textByCode } from "../../api/problem-text.ts";
import { textLink } from "../../ui/components/text-link.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { resendErrorText } from "../error-texts.ts";

/** Requests another mail. `email` may be a username: after an unverified sign-in nothing else is known. */
export function ResendVerification({ email }: { email: string }) {
  const { t } = useTranslation("accounts");
  const [isSending, setSending] = useState(false);
  const [result, setResult] = useState<{ text: string; isSent: boolean } | null>(null);

  const resend = async () => {
    const checked = resendSchema.safeParse({ email });
    if (!checked.success) {
      const text = ruleText(checked.error.issues[0]?.message ?? "resendEmail", t("fields.email"));
      return setResult({ text, isSent: false });
    }
    setResult(null);
    setSending(true);
    try {
      const { message } = await api.post(accountPaths.resendVerification, checked.data, noticeSchema);
      setResult(message === RESEND_SUCCESS ? { text: t("verify.resent"), isSent: true } : readForeign(message));
    } catch (error) {
      const text = resendErrorText(error);
      setResult(textByCode(error) === null ? readForeign(text) : { text, isSent: false });
    } finally {
      setSending(false);
    }
  };

  return (
    <>
      <p>
        {t("verify.notReceived")}{" "}
        <button type="button" disabled={isSending} onClick={resend} className={textLink}>
          {t(isSending ? "verify.resending" : "verify.resend")}
        </button>
      </p>
      {result !== null && (
        <Banner tone={result.isSent ? "success" : "error"} className="order-last text-ink">
          {result.text}
        </Banner>
      )}
    </>
  );
}

/** Reads the text of another server. The product's specification defines this word as the sign of success. */
const readForeign = (text: string) => ({ text, isSent: text.includes("successfully") });
