import { Download } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AttachedFile, fileTextSchema } from "#contract/files.ts";
import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { ApiError, api } from "../../api/client.ts";
import { Query } from "../../queries/query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useDelayed } from "../../ui/components/use-delayed.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useFileFacts } from "../use-file-facts.ts";
import { useDownload } from "./use-download.ts";

/** Lines that are laid out together when they come into view. */
const PIECE_LINES = 100;
const SKELETON_MS = 0.15 * SECOND;

type FileTextDialogProps = { file: AttachedFile; onClose: () => void };

/** Dialog with the text of a file, as models receive it. */
export default function FileTextDialog({ file, onClose }: FileTextDialogProps) {
  const { t } = useTranslation("files");
  const facts = useFileFacts(file);
  const { download, isBusy } = useDownload(file);
  return (
    <Dialog isOpen onOpenChange={onClose} title={file.name} description={facts} isWide>
      <FileText file={file} />
      <div className="mt-4 flex justify-end">
        <Button variant="secondary" busy={isBusy} onClick={download}>
          {!isBusy && <Download aria-hidden="true" className="size-4" />}
          {t("download")}
        </Button>
      </div>
    </Dialog>
  );
}

function FileText({ file }: { file: AttachedFile }) {
  const { t } = useTranslation("files");
  const [query] = useState(
    () => new Query((signal) => api.get(paths.fileText(encodeURIComponent(file.id)), fileTextSchema, { signal })),
  );
  const { value, error, reload } = useQuery(query);
  const region = useRef<HTMLElement>(null);
  if (value) {
    const remark = value.remark ?? file.remark;
    return (
      <>
        {remark && <p className="mb-3 text-muted text-sm">{t(`remarks.${remark}`)}</p>}
        {value.text.trim() !== "" && <Pieces text={value.text} />}
        {value.text.trim() === "" && !remark && <p className="text-muted text-sm">{t("noText")}</p>}
      </>
    );
  }
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <section ref={region} tabIndex={-1} className="flex min-h-24 flex-col items-center justify-center gap-3 text-sm">
      {error === null ? <Waiting /> : <p role="alert">{t(isGone ? "gone" : "textFailed")}</p>}
      {error !== null && !isGone && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => {
            // The button is removed once the text is there: move the focus first.
            region.current?.focus();
            void reload();
          }}
        >
          {t("retry")}
        </Button>
      )}
    </section>
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

/** A long text in pieces of which the browser lays out those in view. */
function Pieces({ text }: { text: string }) {
  const { t } = useTranslation("files");
  const pieces = useMemo(() => piecesOf(text), [text]);
  return (
    <section
      aria-label={t("kinds.text")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      dir="auto"
      className="max-h-[60dvh] overflow-y-auto rounded-control border border-hairline bg-code px-4 py-3 font-mono text-sm leading-text focus-visible:-outline-offset-2"
    >
      {pieces.map((piece, place) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
          key={place}
          className="whitespace-pre-wrap [contain-intrinsic-size:auto_100lh] [content-visibility:auto] [overflow-wrap:anywhere]"
        >
          {piece}
        </div>
      ))}
    </section>
  );
}

function piecesOf(text: string): string[] {
  const lines = text.split("\n");
  const starts = Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, nth) => nth * PIECE_LINES);
  return starts.map((start) => lines.slice(start, start + PIECE_LINES).join("\n"));
}
