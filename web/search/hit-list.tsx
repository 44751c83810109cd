import { Archive, MessageSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/search.ts";
import { cx } from "../ui/cx.ts";
import type { HitGroup } from "./hit-groups.ts";
import { hitTime } from "./hit-time.ts";
import { MarkedText } from "./marked-text.tsx";

/** The id of a hit's element, by which the field names the active one. */
export const hitId = ({ chatId, messageId }: SearchHit) => `hit-${messageId ?? chatId}`;

type HitListProps = {
  id: string;
  groups: readonly HitGroup[];
  active: SearchHit | null;
  onPoint: (hit: SearchHit) => void;
  onChoose: (hit: SearchHit) => void;
};

/** What was found, by chats. The field keeps the focus: arrow keys go through it from there. */
export function HitList({ id, groups, active, onPoint, onChoose }: HitListProps) {
  const { t } = useTranslation("search");
  return (
    <div id={id} role="listbox" aria-label={t("results")} className="flex flex-col gap-3 p-2">
      {groups.map(({ chatId, title, isArchived, titleHit, hits }) => (
        // biome-ignore lint/a11y/useSemanticElements: no other element groups the options of a listbox
        <div key={chatId} role="group" aria-label={title}>
          {titleHit ? (
            <Hit hit={titleHit} isActive={titleHit === active} onPoint={onPoint} onChoose={onChoose}>
              <GroupTitle isArchived={isArchived}>
                <span className="sr-only">{t("chat")}: </span>
                <MarkedText text={titleHit.snippet} marks={titleHit.marks} />
              </GroupTitle>
            </Hit>
          ) : (
            <div role="presentation" className="px-3 py-1.5 text-muted">
              <GroupTitle isArchived={isArchived}>{title}</GroupTitle>
            </div>
          )}
          {hits.map((hit) => (
            <Hit key={hit.messageId} hit={hit} isActive={hit === active} onPoint={onPoint} onChoose={onChoose}>
              <MessageHit hit={hit} />
            </Hit>
          ))}
        </div>
      ))}
    </div>
  );
}

function GroupTitle({ isArchived, children }: { isArchived: boolean; children: React.ReactNode }) {
  const { t } = useTranslation("search");
  return (
    <span className="flex min-w-0 items-center gap-2 font-medium text-sm">
      <MessageSquare aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span dir="auto" className="min-w-0 truncate">
        {children}
      </span>
      {isArchived && (
        <span className="ms-auto flex shrink-0 items-center gap-1 font-normal text-muted text-xs">
          <Archive aria-hidden="true" className="size-3.5" />
          {t("archived")}
        </span>
      )}
    </span>
  );
}

function MessageHit({ hit: { role, at, snippet, marks } }: { hit: SearchHit }) {
  const { t, i18n } = useTranslation("search");
  return (
    <>
      <span className="flex items-baseline justify-between gap-3 text-muted text-xs">
        <span className="font-medium">{role === "user" ? t("you") : t("server")}</span>
        <time dateTime={new Date(at).toISOString()} className="shrink-0 tabular-nums">
          {hitTime(at, i18n.language)}
        </time>
      </span>
      <span dir="auto" className="mt-0.5 line-clamp-2 text-sm leading-text [overflow-wrap:anywhere]">
        <MarkedText text={snippet} marks={marks} />
      </span>
    </>
  );
}

type HitProps = Pick<HitListProps, "onPoint" | "onChoose"> & {
  hit: SearchHit;
  isActive: boolean;
  children: React.ReactNode;
};

function Hit({ hit, isActive, onPoint, onChoose, children }: HitProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and the keys
    <div
      id={hitId(hit)}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={cx(
        "flex min-h-11 cursor-pointer flex-col justify-center rounded-control px-3 py-2",
        isActive && "bg-hover",
        hit.messageId !== null && "ms-2.5 border-hairline border-s-2 rounded-s-none ps-4",
        hit.messageId !== null && isActive && "border-accent",
      )}
      onPointerMove={() => !isActive && onPoint(hit)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(hit)}
    >
      {children}
    </div>
  );
}
