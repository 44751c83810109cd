import { useState } from "react";
import { useTranslation } from "react-i18next";
import { noticeSchema, resendSchema } from "#contract/accounts.ts";
import { openPaths } from "#contract/open-paths.ts";
import { api } from "../../api/client.ts";
import { ruleText } from "../../api/problem-text.ts";
import { textLink } from "../../ui/components/text-link.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { resendErrorText } from "../error-texts.ts";

/** Requests another mail. `email` may be a username: after an unverified sign-in nothing else is known. */
export function ResendVerification({ email }: { email: string }) {
  const { t } = useTranslation("accounts");
  const [isSending, setSending] = useState(false);
  const [result, setResult] = useState<string | null>(null);

  const resend = async () => {
    const checked = resendSchema.safeParse({ email });
    if (!checked.success)
      return setResult(ruleText(checked.error.issues[0]?.message ?? "resendEmail", t("fields.email")));
    setResult(null);
    setSending(true);
    try {
      setResult((await api.post(openPaths.resendVerification, checked.data, noticeSchema)).message);
    } catch (error) {
      setResult(resendErrorText(error));
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
        // The product's specification defines this word as the server's sign of success.
        <Banner tone={result.includes("successfully") ? "success" : "error"} className="order-last text-ink">
          {result}
        </Banner>
      )}
    </>
  );
}
