import { Archive, File, FileText, MessageSquare, Pin } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/conversation/search.ts";
import { fileKindOf } from "#contract/files/files.ts";
import { timeOfDay } from "../locales/times.ts";
import { cx } from "../ui/components/cx.ts";
import { type HitGroup, piecesOf } from "./hit-groups.ts";
import { Option } from "./option.tsx";

/** Id of a hit's element, referenced by the field's `aria-activedescendant`. */
export const hitId = ({ chatId, messageId, file }: SearchHit) =>
  `hit-${messageId ?? chatId}${file ? `-${file.id}` : ""}`;

type HitListProps = {
  groups: readonly HitGroup[];
  /** The id of the active hit's element. */
  active: string | undefined;
  onPoint: (id: string) => void;
  onChoose: (hit: SearchHit) => void;
  /** Whether the chats are rendered as plain lines, because they are recent chats and not search results. */
  isPlain?: boolean;
};

/** List of hits by chats. */
export function HitList({ groups, active, onPoint, onChoose, isPlain = false }: HitListProps) {
  const { t } = useTranslation("search");
  const shared = (hit: SearchHit) => ({ hit, isPlain, isActive: hitId(hit) === active, onPoint, onChoose });
  return (
    <>
      {groups.map(({ chatId, title, titleHit, hits, ...marks }) => (
        // biome-ignore lint/a11y/useSemanticElements: no other element groups the options of a listbox
        <div key={chatId} role="group" aria-label={title}>
          {titleHit ? (
            <Hit {...shared(titleHit)}>
              <GroupTitle {...marks} isPlain={isPlain}>
                {/* In a bdi it does not affect the direction of the title. */}
                <bdi className="sr-only">{t("chat")}: </bdi>
                <MarkedText text={titleHit.snippet} marks={titleHit.marks} />
              </GroupTitle>
            </Hit>
          ) : (
            <div role="presentation" className="px-3 py-1.5 text-muted">
              <GroupTitle {...marks}>{title}</GroupTitle>
            </div>
          )}
          {hits.map((hit) => (
            <Hit key={hitId(hit)} {...shared(hit)}>
              <MessageHit hit={hit} />
            </Hit>
          ))}
        </div>
      ))}
    </>
  );
}

type GroupTitleProps = { isArchived: boolean; isPinned: boolean; isPlain?: boolean; children: React.ReactNode };

function GroupTitle({ isArchived, isPinned, isPlain = false, children }: GroupTitleProps) {
  const { t } = useTranslation("search");
  return (
    <span className={cx("flex min-w-0 items-center text-sm", isPlain ? "gap-3" : "gap-2 font-medium")}>
      <MessageSquare aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span dir="auto" className="own-way min-w-0 truncate">
        {children}
      </span>
      {isPinned && !isArchived && (
        <span className="ms-auto shrink-0 ps-2 text-muted">
          <Pin aria-hidden="true" className="size-3.5" />
          <span className="sr-only">{t("pinned")}</span>
        </span>
      )}
      {isArchived && (
        <span className="ms-auto flex shrink-0 items-center gap-1 font-normal text-muted text-xs">
          <Archive aria-hidden="true" className="size-3.5" />
          {t("archived")}
        </span>
      )}
    </span>
  );
}

function MessageHit({ hit: { role, at, snippet, marks, file } }: { hit: SearchHit }) {
  const { t, i18n } = useTranslation("search");
  return (
    <>
      <span className="flex items-baseline justify-between gap-3 text-muted text-xs">
        <span className="font-medium">{role === "user" ? t("you") : t("server")}</span>
        <time dateTime={new Date(at).toISOString()} className="shrink-0 tabular-nums">
          {hitTime(at, i18n.language)}
        </time>
      </span>
      {file && <FileName file={file} />}
      {snippet !== "" && (
        <span dir="auto" className="own-way mt-0.5 line-clamp-2 text-sm leading-text [overflow-wrap:anywhere]">
          <MarkedText text={snippet} marks={marks} />
        </span>
      )}
    </>
  );
}

function FileName({ file: { name, type, marks } }: { file: NonNullable<SearchHit["file"]> }) {
  const { t } = useTranslation("search");
  const Icon = fileKindOf(type) === "picture" ? File : FileText;
  return (
    <span className="mt-0.5 flex min-w-0 items-center gap-1.5 text-sm leading-text">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <bdi className="sr-only">{t("file")}: </bdi>
      {/* With a direction of its own: in an Arabic line, `report (1).pdf` stays as it is. */}
      <bdi className="min-w-0 truncate font-medium">
        <MarkedText text={name} marks={marks} />
      </bdi>
    </span>
  );
}

type HitProps = Pick<HitListProps, "onPoint" | "onChoose"> & {
  hit: SearchHit;
  isActive: boolean;
  isPlain: boolean;
  children: React.ReactNode;
};

function Hit({ hit, isActive, isPlain, onPoint, onChoose, children }: HitProps) {
  return (
    <Option
      id={hitId(hit)}
      isActive={isActive}
      onPoint={onPoint}
      onChoose={() => onChoose(hit)}
      className={cx(
        "flex-col justify-center",
        isPlain && "py-1.5 sm:min-h-9 pointer-coarse:min-h-11",
        hit.messageId !== null && "ms-2.5 rounded-s-none border-hairline border-s-2 ps-4",
        hit.messageId !== null && isActive && "border-accent",
      )}
    >
      {children}
    </Option>
  );
}

/** Formats "today 4:05 PM", else the date of a message. */
function hitTime(at: number, locale: string, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const isToday = then.toDateString() === today.toDateString();
  const isThisYear = then.getFullYear() === today.getFullYear();
  if (isToday) {
    const word = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "day");
    return `${word} ${timeOfDay(at, locale)}`;
  }
  const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  if (!isThisYear) day.year = "numeric";
  return new Intl.DateTimeFormat(locale, day).format(then);
}

type MarkedTextProps = { text: string; marks: readonly (readonly [number, number])[] };

/** Renders a text with its matches marked. */
function MarkedText({ text, marks }: MarkedTextProps) {
  return piecesOf(text, marks).map((piece) =>
    piece.isMarked ? (
      <mark key={piece.at} className="rounded-small bg-accent-soft font-semibold text-ink">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
