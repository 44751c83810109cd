/** Lazy module that sets up an authenticator app, with the library that draws QR codes. */

import { Check, Copy } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConfirmTotp, TotpEnrolment } from "#contract/accounts/second-factor.ts";
import { ApiError } from "../../api/api-error.ts";
import { useAction } from "../../forms/use-action.ts";
import { Button } from "../../ui/components/button.tsx";
import { QrCode } from "../../ui/components/qr-code.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { CodeForm } from "./code-form.tsx";

/** Calls of a set-up: in a session with a proof, or at a sign-in with a ticket. */
export type TotpSetUpCalls = {
  begin: () => Promise<TotpEnrolment>;
  /** Resolves to the recovery codes. */
  confirm: (request: ConfirmTotp) => Promise<string[]>;
};

export type TotpSetUpProps = {
  enrolment: TotpEnrolment;
  calls: TotpSetUpCalls;
  /** Receives the recovery codes. */
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
};

const isExpired = (error: unknown) => error instanceof ApiError && error.code === "enrolment-expired";

/** QR code and key of a new secret, and the field for a code that shows that the app has it. */
export default function TotpSetUp({ enrolment: first, calls, onDone, onCancel }: TotpSetUpProps) {
  const { t } = useTranslation("secondFactor");
  const [{ secret, uri, enrolment }, setEnrolment] = useState(first);
  const confirm = async (code: string) => onDone(await calls.confirm({ enrolment, code }));
  return (
    <CodeForm
      // A new QR code has a new form, without the failure of the last one.
      key={enrolment}
      label={t("enrol.codeOfApp")}
      hint={t("enrol.codeHint")}
      submit={t("enrol.submit")}
      submitting={t("enrol.submitting")}
      isOfApp
      onSend={confirm}
      onCancel={onCancel}
      remedyOf={(error) => isExpired(error) && <Again begin={calls.begin} onBegun={setEnrolment} />}
    >
      <p className="text-pretty text-sm leading-text">{t("enrol.scan")}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <QrCode
          text={uri}
          label={t("enrol.qr")}
          className="w-44 shrink-0 rounded-control border border-hairline bg-[#fff] fill-[#000] forced-color-adjust-none"
        />
        <Key secret={secret} />
      </div>
    </CodeForm>
  );
}

/** Begins again with a new secret: the last one has expired. */
function Again({ begin, onBegun }: Pick<TotpSetUpCalls, "begin"> & { onBegun: (enrolment: TotpEnrolment) => void }) {
  const { t } = useTranslation("secondFactor");
  const { run, busy, failure } = useAction<"again">();
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        className="mt-2"
        busy={busy === "again"}
        onClick={() => run("again", async () => onBegun(await begin()))}
      >
        {t("enrol.again")}
      </Button>
      {failure && <p className="mt-2">{failure.text}</p>}
    </>
  );
}

function Key({ secret }: { secret: string }) {
  const { t } = useTranslation("secondFactor");
  const { isCopied, copy } = useCopy();
  const labelId = useId();
  return (
    <div className="min-w-0 flex-1 basis-52">
      <p id={labelId} className="font-medium text-sm">
        {t("enrol.key")}
      </p>
      <fieldset aria-labelledby={labelId} dir="ltr" className="mt-1 font-mono text-sm leading-text">
        {secret.match(/.{1,4}/g)?.join(" ")}
      </fieldset>
      <Button variant="secondary" size="small" className="mt-3" onClick={() => copy(secret)}>
        {isCopied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
        <span aria-live="polite">{t(isCopied ? "enrol.copied" : "enrol.copyKey")}</span>
      </Button>
    </div>
  );
}
