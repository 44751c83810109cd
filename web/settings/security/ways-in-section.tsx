import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AccountDetails } from "#contract/accounts/account-settings.ts";
import type { Passkey } from "#contract/accounts/passkeys.ts";
import type { ConnectedIdentity } from "#contract/accounts/single-sign-on.ts";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { PasskeyUse } from "./passkeys-section.tsx";
import { FEW_CODES, LastUse } from "./second-factor-section.tsx";

/**
 * Returns null while the second factor is to end, as its section has the advice, and if only an identity provider signs
 * in, which protects the sign-in by itself.
 */
function adviceOf({ hasPassword, hasPasskeys, hasIdentities, secondFactor }: AccountDetails) {
  if (secondFactor && secondFactor.endsAt !== null) return null;
  if (secondFactor?.recoveryCodesLeft === 0) return "ways.adviceNone";
  if (secondFactor && secondFactor.recoveryCodesLeft <= FEW_CODES) return "ways.adviceFew";
  if (!hasPassword && !hasPasskeys && !secondFactor && hasIdentities) return null;
  if (!hasPassword && !hasPasskeys && !hasIdentities) return "ways.adviceGoogleOnly";
  return secondFactor ? "ways.adviceGood" : "ways.adviceOff";
}

function googleLossOf({ hasPassword, hasPasskeys, hasIdentities }: AccountDetails) {
  if (hasPassword) return "ways.googleLoss";
  if (hasIdentities) return "ways.googleLossIdentity";
  return hasPasskeys ? "ways.googleLossPasskeys" : "ways.googleLossOnly";
}

type WaysInProps = {
  details: AccountDetails;
  passkeys: readonly Passkey[];
  identities: readonly ConnectedIdentity[];
};

/** Returns the time of the last use, or null. */
function lastUseOf(ways: readonly { lastUsedAt: number | null }[]): number | null {
  const uses = ways.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return uses.length > 0 ? Math.max(...uses) : null;
}

/** The ways to sign in, with their last use and the cost of their loss, and one sentence of advice. */
export function WaysInSection({ details, passkeys, identities }: WaysInProps) {
  const { t } = useTranslation("secondFactor");
  const { isMailOnConsole } = useAuthConfig();
  const { hasPassword, hasPasskeys, hasGoogle, secondFactor, lastSignIns } = details;
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
  if (identities.length > 0) {
    const hasOtherWay = hasPassword || hasGoogle || hasPasskeys;
    const loss = t(hasOtherWay ? "identities.loss" : "identities.lossOnly");
    rows.push([t("identities.title"), <WayUse key="use" at={lastUseOf(identities) ?? undefined} loss={loss} />]);
  }
  if (passkeys.length > 0) {
    rows.push([
      t("passkeys.title"),
      <>
        <PasskeyUse at={lastUseOf(passkeys)} /> {t("passkeys.loss")}
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
