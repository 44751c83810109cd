import { ExternalLink, MessageSquare } from "lucide-react";
import { Popover } from "radix-ui";
import { type RefObject, useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { longDate } from "../../locales/times.ts";
import { useLandmark } from "../../ui/components/landmark.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import type { Citation } from "./citations.ts";
import { beginningOf, type Passage, passageAround } from "./passage.ts";
import { ownAddressOf, SourceLink, siteOf } from "./source-link.tsx";

type SourceCardProps = {
  citation: Citation;
  /** Button that opened the card. */
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

/** Card with a source and the result of the check, beside the mark that opened it. */
export default function SourceCard({ citation, anchor, onClose }: SourceCardProps) {
  const { i18n } = useTranslation();
  const heading = useId();
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Popover.Portal container={useLandmark()}>
        <Popover.Content
          aria-labelledby={heading}
          dir={i18n.dir()}
          side="top"
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={(event) => {
            // The mark's own click closes the card; otherwise it would close and reopen.
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            // Not its link: a screen reader reads the card from its beginning, and arrow keys scroll it.
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus({ preventScroll: true });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus({ preventScroll: true });
          }}
          className="z-40 grid max-h-[min(28rem,var(--radix-popover-content-available-height))] w-[min(23rem,calc(100vw-1rem))] animate-appear gap-2.5 overflow-y-auto overscroll-contain rounded-surface border border-hairline bg-raised px-4 py-3 text-ink text-sm leading-text shadow-float outline-none print:hidden"
        >
          <Heading id={heading} citation={citation} />
          <Check citation={citation} />
          <OpenLink url={citation.url} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Heading({ id, citation }: { id: string; citation: Citation }) {
  const { t, i18n } = useTranslation("parts");
  const { source, title, url, fetchedAt } = citation;
  const isOwn = ownAddressOf(url) !== null;
  const site = isOwn ? t("sources.ownChats") : siteOf(url);
  const date = fetchedAt === undefined ? "" : longDate(fetchedAt, i18n.language);
  return (
    <div className="grid gap-0.5">
      <h3 id={id} className="[overflow-wrap:anywhere]">
        <span className="text-muted">{t("sources.number", { number: source })}</span>{" "}
        <bdi className="font-medium">{title || url}</bdi>
      </h3>
      <p className="flex flex-wrap gap-x-2 text-muted text-xs">
        {site !== null && <bdi className="min-w-0 [overflow-wrap:anywhere]">{site}</bdi>}
        {date !== "" && <span>{isOwn ? date : t("sources.fetched", { date })}</span>}
      </p>
    </div>
  );
}

/** Whether the source has the quote, in words, and where. */
function Check({ citation: { quote, snapshot, checked } }: { citation: Citation }) {
  const { t } = useTranslation("parts");
  const passage = useMemo(
    () => (quote !== undefined && snapshot !== undefined ? passageAround(snapshot, quote) : undefined),
    [quote, snapshot],
  );
  if (passage) return <PassageBox label={t("sources.passage")} passage={passage} />;
  const isMissing = checked === "missing" || (checked === "found" && snapshot !== undefined);
  return (
    <>
      <p className={isMissing ? "font-medium text-warning" : "text-muted"}>
        {isMissing && t("sources.missing")}
        {checked === "found" && !isMissing && t("sources.notHere")}
        {checked === "unchecked" && t(quote === undefined ? "sources.noQuote" : "sources.unchecked")}
      </p>
      {quote !== undefined && (
        <blockquote dir="auto" className="border-hairline border-s-2 ps-3 text-muted [overflow-wrap:anywhere]">
          {quote}
        </blockquote>
      )}
      {quote === undefined && snapshot !== undefined && (
        <PassageBox label={t("sources.beginning")} passage={beginningOf(snapshot)} />
      )}
    </>
  );
}

/** A passage as plain text: words from outside must not request anything. */
function PassageBox({ label, passage: { before, quote, after } }: { label: string; passage: Passage }) {
  return (
    <figure className="grid gap-1">
      <figcaption className="text-muted text-xs">{label}</figcaption>
      <blockquote dir="auto" className="whitespace-pre-line rounded-small bg-sunken px-3 py-2 [overflow-wrap:anywhere]">
        {before}
        {quote !== "" && <mark className="source-quote">{quote}</mark>}
        {after}
      </blockquote>
    </figure>
  );
}

function OpenLink({ url }: { url: string }) {
  const { t } = useTranslation("parts");
  const isOwn = ownAddressOf(url) !== null;
  if (!isOwn && siteOf(url) === null) return null;
  const Icon = isOwn ? MessageSquare : ExternalLink;
  return (
    <p>
      <SourceLink url={url} className={textLink}>
        <Icon aria-hidden="true" className="me-1.5 inline size-3.5 align-[-0.125em]" />
        {t(isOwn ? "sources.openMessage" : "sources.openPage")}
      </SourceLink>
    </p>
  );
}
