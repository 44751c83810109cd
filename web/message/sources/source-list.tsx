import "./sources.css";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CitedSource } from "#contract/conversation/citations/cited-sources.ts";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";
import { textLink } from "../../ui/components/text-link.ts";
import { ownAddressOf, SourceLink, siteOf } from "./source-link.tsx";

registerTexts("replies", replies);

/** The sources of an answer below it, folded. */
export function SourceList({ sources }: { sources: readonly CitedSource[] }) {
  const { t, i18n } = useTranslation(["parts", "replies"]);
  return (
    <details dir={i18n.dir()} className="source-list mt-3 text-muted text-sm leading-text">
      <summary className="inline-flex cursor-pointer items-center gap-x-1.5 rounded-small hover:text-ink">
        {t("parts:sources.count", { count: sources.length })}
        <ChevronRight aria-hidden="true" className="source-chevron size-4 shrink-0 transition-transform" />
      </summary>
      <ul className="mt-1.5 grid gap-1.5">
        {sources.map(({ number, url, title, isMissing }) => (
          <li key={`${number} ${url}`} className="flex gap-x-2">
            <span className="shrink-0 tabular-nums">[{number}]</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <SourceLink url={url} className={textLink}>
                <bdi>{title}</bdi>
              </SourceLink>{" "}
              {ownAddressOf(url) === null ? (
                <bdi className="source-site">{siteOf(url)}</bdi>
              ) : (
                t("parts:sources.ownChats")
              )}
              {isMissing && <span className="text-warning"> · {t("replies:sources.missing")}</span>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
