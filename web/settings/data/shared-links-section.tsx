import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { SECOND } from "#contract/limits.ts";
import type { ShareList } from "#contract/shares/shares.ts";
import { failureText } from "../../forms/failure-text.ts";
import shares from "../../locales/en/shares.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { useQuery } from "../../queries/use-query.ts";
import { revokeAllShares, sharesQuery } from "../../shares/shares-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { SharedLinkRow } from "./shared-link-row.tsx";

registerTexts("shares", shares);

/** Rows shown at first. */
const SHOWN = 10;

/** All links to snapshots of the account's chats, which can be copied, opened and revoked. */
export function SharedLinksSection() {
  const { t } = useTranslation("shares");
  const { value, error, reload } = useQuery(sharesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== "#shared-links") return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash]);
  const onRevoked = () => heading.current?.focus();
  const count = value?.shares.length ?? 0;
  return (
    <Section
      title={t("section.title")}
      text={t("section.text")}
      headingRef={heading}
      action={count > 1 && <RevokeAll count={count} onRevoked={onRevoked} />}
    >
      {error !== null && <LoadFailure error={error} onRetry={reload} />}
      {value === null && error === null && <LinesLoading lines={3} />}
      {value !== null && count === 0 && <EmptyState text={t("section.empty")} className="px-6 py-10" />}
      {value !== null && count > 0 && <Links list={value} onRevoked={onRevoked} />}
    </Section>
  );
}

function Links({ list: { shares: links, rules }, onRevoked }: { list: ShareList; onRevoked: () => void }) {
  const { t } = useTranslation("shares");
  const [isWhole, setWhole] = useState(false);
  const focusRendered = useFocusRendered();
  const showAll = () => {
    setWhole(true);
    const next = links[SHOWN];
    if (next) focusRendered(`share-${next.id}`);
  };
  return (
    <>
      <ul className="divide-y divide-hairline">
        {links.slice(0, isWhole ? links.length : SHOWN).map((share) => (
          <SharedLinkRow key={share.id} share={share} rules={rules} onRevoked={onRevoked} />
        ))}
      </ul>
      {!isWhole && links.length > SHOWN && (
        <div className="border-hairline border-t p-2">
          <Button variant="quiet" size="small" className="w-full text-muted" onClick={showAll}>
            {t("section.showAll")}
          </Button>
        </div>
      )}
    </>
  );
}

function RevokeAll({ count, onRevoked }: { count: number; onRevoked: () => void }) {
  const { t } = useTranslation("shares");
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      const revoked = await revokeAllShares();
      notify("info", t("revokedAll", { count: revoked }), { durationMs: 6 * SECOND });
      onRevoked();
    } catch (cause) {
      const text = failureText(cause);
      if (text !== null) notify("error", text);
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="dangerous"
        size="small"
        busy={isBusy}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && setAsking(true)}
      >
        {t("section.revokeAll")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t("confirm.titleAll")}
        description={t("confirm.textAll", { count })}
        confirmLabel={t("confirm.buttonAll")}
        onConfirm={() => void revoke()}
      />
    </>
  );
}
