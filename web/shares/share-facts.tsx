import { Pause } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { Share, ShareRules } from "#contract/shares/shares.ts";
import { exactTime } from "../locales/times.ts";
import { audienceText, expiryText, pauseText } from "./share-texts.ts";

/** Who can open a link, until when, how often it was opened, and whether it is paused. */
export function ShareFacts({ share, rules }: { share: Share; rules: ShareRules }) {
  const { t, i18n } = useTranslation("shares");
  const paused = pauseText(share, rules);
  const created = t("facts.created", { time: exactTime(share.createdAt, i18n.language) });
  const facts = [created, expiryText(share), t("facts.visits", { count: share.visits })];
  return (
    <>
      <p className="break-words text-sm">{audienceText(share.audience, share.group ?? "–").title}</p>
      <p className="mt-0.5 text-muted text-xs leading-text">
        {facts.map((fact, index) => (
          <Fragment key={fact}>
            {index > 0 && " · "}
            <span className="inline-block">{fact}</span>
          </Fragment>
        ))}
      </p>
      {share.url === null && <p className="mt-0.5 text-muted text-xs leading-text">{t("facts.noAddress")}</p>}
      {paused !== null && (
        <p className="mt-1 flex items-start gap-1.5 text-warning text-xs leading-text">
          <Pause aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          {paused}
        </p>
      )}
    </>
  );
}
