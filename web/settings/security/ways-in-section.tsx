import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AccountDetails } from "#contract/accounts/account-settings.ts";
import type { Passkey } from "#contract/accounts/passkeys.ts";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { PasskeyUse } from "./passkeys-section.tsx";
import { FEW_CODES, LastUse } from "./second-factor-section.tsx";

/** Returns null while the second factor is to end: its section has the advice. */
function adviceOf({ hasPassword, hasPasskeys, secondFactor }: AccountDetails) {
  if (secondFactor && secondFactor.endsAt !== null) return null;
  if (secondFactor?.recoveryCodesLeft === 0) return "ways.adviceNone";
  if (secondFactor && secondFactor.recoveryCodesLeft <= FEW_CODES) return "ways.adviceFew";
  if (!hasPassword && !hasPasskeys) return "ways.adviceGoogleOnly";
  return secondFactor ? "ways.adviceGood" : "ways.adviceOff";
}

function googleLossOf({ hasPassword, hasPasskeys }: AccountDetails) {
  if (hasPassword) return "ways.googleLoss";
  return hasPasskeys ? "ways.googleLossPasskeys" : "ways.googleLossOnly";
}

/** The ways to sign in, with their last use and the cost of their loss, and one sentence of advice. */
export function WaysInSection({ details, passkeys }: { details: AccountDetails; passkeys: readonly Passkey[] }) {
  const { t } = useTranslation("secondFactor");
  const { isMailOnConsole } = useAuthConfig();
  const { hasPassword, hasGoogle, secondFactor, lastSignIns } = details;
  const advice = adviceOf(details);
  const hasCodes = secondFactor !== null && secondFactor.recoveryCodesLeft > 0;
  const rows: [title: string, text: ReactNode][] = [];
  if (hasPassword) {
    const loss = t(isMailOnConsole ? "ways.passwordLossNoMail" : "ways.passwordLoss");
    rows.push([t("ways.password"), <WayUse key="use" at={lastSignIns.password} loss={loss} />]);
  }
  if (hasGoogle) {
    const loss = t(googleLossOf(details));
    rows.push([t("ways.google"), <WayUse key="use" at={lastSignIns.google} loss={loss} />]);
  }
  if (passkeys.length > 0) {
    const uses = passkeys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
    const last = uses.length > 0 ? Math.max(...uses) : null;
    rows.push([
      t("passkeys.title"),
      <>
        <PasskeyUse at={last} /> {t("passkeys.loss")}
      </>,
    ]);
  }
  if (secondFactor) {
    const loss = t(hasCodes ? "ways.appLoss" : "ways.appLossNoCodes");
    rows.push([
      t("app"),
      <>
        <LastUse at={secondFactor.lastUsedAt} /> {loss}
      </>,
    ]);
  }
  if (hasCodes)
    rows.push([t("recoveryCodes"), <CodesUse key="use" at={lastSignIns.recoveryCode} loss={t("ways.codesLoss")} />]);
  return (
    <Section title={t("ways.title")} text={advice === null ? undefined : t(advice)}>
      <div className="divide-y divide-hairline">
        {rows.map(([title, text]) => (
          <Row key={title} title={title} text={text} />
        ))}
      </div>
    </Section>
  );
}

type WayUseProps = {
  /** Absent: none is recorded, because there was none, or only before the server recorded them. */
  at: number | undefined;
  /** Sentence on the cost of the loss. */
  loss: string;
};

function WayUse({ at, loss }: WayUseProps) {
  const { t } = useTranslation("secondFactor");
  return (
    <>
      {at === undefined ? t("ways.noUse") : <TimeAgo at={at} sentence={(time) => t("ways.used", { time })} />} {loss}
    </>
  );
}

function CodesUse({ at, loss }: WayUseProps) {
  const { t } = useTranslation("secondFactor");
  if (at === undefined) return loss;
  return (
    <>
      <TimeAgo at={at} sentence={(time) => t("ways.codeUsed", { time })} /> {loss}
    </>
  );
}
