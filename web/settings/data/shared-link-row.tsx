import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Share, ShareRules } from "#contract/shares/shares.ts";
import { chatAddress } from "../../chats/chat-address.ts";
import { CopyButton } from "../../shares/copy-button.tsx";
import { RevokeButton } from "../../shares/revoke-button.tsx";
import { ShareFacts } from "../../shares/share-facts.tsx";
import { Link } from "../../ui/components/link.tsx";
import { tooltip } from "../../ui/tooltips/tooltip.ts";

type SharedLinkRowProps = { share: Share; rules: ShareRules; onRevoked: () => void };

/** A link in the list of all links: the title leads to its chat. */
export function SharedLinkRow({ share, rules, onRevoked }: SharedLinkRowProps) {
  const { t } = useTranslation("shares");
  const { id, chatId, title, url } = share;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <Link
          id={`share-${id}`}
          to={chatAddress(chatId)}
          dir="auto"
          className="own-way block break-words font-medium text-sm hover:underline"
        >
          {title}
        </Link>
        <ShareFacts share={share} rules={rules} />
      </div>
      <div className="flex items-center gap-1">
        {url !== null && (
          <>
            <CopyButton url={url} label={t("section.copy", { title })} variant="secondary" size="small" />
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={t("section.open", { title })}
              className="inline-flex size-8 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-11"
              {...tooltip(t("open"))}
            >
              <ExternalLink aria-hidden="true" className="size-4 rtl:-scale-x-100" />
            </a>
          </>
        )}
        <RevokeButton
          id={id}
          label={t("section.revoke", { title })}
          onRevoked={onRevoked}
          variant="quiet"
          size="small"
        />
      </div>
    </li>
  );
}
