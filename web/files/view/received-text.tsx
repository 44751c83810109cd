import { type RefObject, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AttachedFile, type FileText, isExtracted, PDF_TYPE } from "#contract/files/files.ts";
import { SECOND } from "#contract/limits.ts";
import { ApiError } from "../../api/client.ts";
import { Query } from "../../queries/query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useDelayed } from "../../ui/components/use-delayed.ts";
import { readFileText } from "./read-file-text.ts";
import { SectionText } from "./section-text.tsx";
import { type TextSection, textSections } from "./text-sections.ts";

const SKELETON_MS = 0.15 * SECOND;

type ReceivedTextProps = { file: AttachedFile; scroller: RefObject<HTMLElement | null>; className: string };

/** What models receive of a file: who receives it in which form, and its text by pages or sheets. */
export function ReceivedText({ file, scroller, className }: ReceivedTextProps) {
  const { t } = useTranslation("files");
  return (
    <section
      ref={scroller}
      aria-label={t("received.title")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className={cx("overflow-y-auto overscroll-contain focus-visible:-outline-offset-2", className)}
    >
      <div className="mx-auto flex max-w-[60rem] flex-col gap-4 px-4 py-4 sm:px-6">
        <div className="flex flex-col gap-1">
          <h3 className="font-semibold text-base">{t("received.title")}</h3>
          <p className="text-muted text-sm leading-text">{t(formOf(file))}</p>
        </div>
        <FileTextOf file={file} scroller={scroller} />
      </div>
    </section>
  );
}

/** Remarks of files of which no model receives more than the name. */
const unreceived: readonly AttachedFile["remark"][] = ["encrypted", "broken", "too-complex"];

/** Returns the text that says in which form models receive a file, by the rules of the server's prompts. */
function formOf({ type, remark }: AttachedFile) {
  if (unreceived.includes(remark)) return "received.nothing";
  if (type === PDF_TYPE) return remark === "scanned" ? "received.pdfName" : "received.pdf";
  return isExtracted(type) ? "received.document" : "received.text";
}

function FileTextOf({ file, scroller }: Omit<ReceivedTextProps, "className">) {
  const { t } = useTranslation("files");
  const [query] = useState(() => new Query((signal) => readFileText(file, signal)));
  const { value, error, reload } = useQuery(query);
  const isGone = error instanceof ApiError && error.status === 404;
  if (value === "server-only") return <p className="text-sm leading-text">{t("received.temporary")}</p>;
  if (value) return <Sections file={file} {...value} />;
  return (
    <div className="flex min-h-24 flex-col items-center justify-center gap-3 text-sm">
      {error === null ? <Waiting /> : <p role="alert">{t(isGone ? "gone" : "textFailed")}</p>}
      {error !== null && !isGone && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => {
            // The button is removed once the text is there: move the focus first.
            scroller.current?.focus();
            void reload();
          }}
        >
          {t("retry")}
        </Button>
      )}
    </div>
  );
}

function Waiting() {
  const { t } = useTranslation("app");
  return (
    useDelayed(SKELETON_MS) && (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        {t("loading")}
      </p>
    )
  );
}

function Sections({
  file,
  text,
  remark = file.remark,
}: FileText & { file: AttachedFile; remark?: AttachedFile["remark"] }) {
  const { t } = useTranslation("files");
  const sections = useMemo(() => (text.trim() === "" ? [] : textSections(file, text)), [file, text]);
  const last = sections.at(-1)?.number;
  const missing = remark === "cut" && last !== undefined && file.pages !== undefined ? file.pages - last : 0;
  return (
    <>
      {remark && <Remark>{t(`remarks.${remark}`)}</Remark>}
      {sections.length === 0 && !remark && <Remark>{t("noText")}</Remark>}
      {sections.map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a section is identified by its index
        <Section key={at} file={file} section={section} />
      ))}
      {remark === "cut" && (
        <Remark>{missing > 0 ? t("received.pagesLeftOut", { count: missing }) : t("received.cutHere")}</Remark>
      )}
    </>
  );
}

function Remark({ children }: { children: string }) {
  return <p className="rounded-control bg-warning-soft px-3 py-2 text-sm leading-text">{children}</p>;
}

function Section({ file, section }: { file: AttachedFile; section: TextSection }) {
  const { t } = useTranslation("files");
  const { number, title, text, isDamaged } = section;
  const isPdf = file.type === PDF_TYPE;
  const name = number === undefined ? title : t(isPdf ? "received.page" : "received.slide", { n: number });
  const emptyWords = isPdf ? "received.emptyPage" : title === undefined ? "received.emptySlide" : "received.emptySheet";
  return (
    <div className="flex flex-col gap-2">
      {name !== undefined && (
        <h4 dir="auto" className="border-hairline border-b pb-1 font-medium text-muted text-xs">
          {name}
        </h4>
      )}
      {text.trim() === "" ? (
        <p className="text-muted text-sm italic">{t(isDamaged ? "received.damagedPage" : emptyWords)}</p>
      ) : (
        <SectionText file={file} text={text} />
      )}
    </div>
  );
}
