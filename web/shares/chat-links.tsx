import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Share, ShareRules } from "#contract/shares/shares.ts";
import { exactTime } from "../locales/times.ts";
import { Button } from "../ui/components/button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { RevokeButton } from "./revoke-button.tsx";
import { ShareFacts } from "./share-facts.tsx";

type ChatLinksProps = {
  shares: readonly Share[];
  rules: ShareRules;
  /** Undefined if no link can be updated now. */
  onUpdate?: (share: Share) => void;
};

/** The links to one chat. */
export function ChatLinks({ shares, rules, onUpdate }: ChatLinksProps) {
  const { t } = useTranslation("shares");
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby="chat-links" className="flex flex-col gap-2">
      <h3 ref={heading} id="chat-links" tabIndex={-1} className="font-medium text-sm">
        {t("links.title")}
      </h3>
      <ul className="divide-y divide-hairline rounded-control border border-hairline">
        {shares.map((share) => (
          <li key={share.id} className="px-3 pt-3 pb-2">
            <ShareFacts share={share} rules={rules} />
            <LinkButtons share={share} onUpdate={onUpdate} onRevoked={() => heading.current?.focus()} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type LinkButtonsProps = { share: Share; onUpdate: ChatLinksProps["onUpdate"]; onRevoked: () => void };

function LinkButtons({ share, onUpdate, onRevoked }: LinkButtonsProps) {
  const { t, i18n } = useTranslation("shares");
  const time = exactTime(share.createdAt, i18n.language);
  return (
    <div className="mt-1.5 -ms-3 flex flex-wrap">
      {share.url !== null && (
        <CopyButton url={share.url} label={t("links.copy", { time })} variant="quiet" size="small" />
      )}
      {onUpdate && (
        <Button aria-label={t("links.update", { time })} variant="quiet" size="small" onClick={() => onUpdate(share)}>
          {t("update")}
        </Button>
      )}
      <RevokeButton
        id={share.id}
        label={t("links.revoke", { time })}
        onRevoked={onRevoked}
        variant="quiet"
        size="small"
      />
    </div>
  );
}
