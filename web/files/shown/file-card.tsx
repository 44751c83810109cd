import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AttachedFile, fileKindOf } from "#contract/files.ts";
import { cx } from "../../ui/components/cx.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { KindIcon, shownKindOf } from "../file-kind.tsx";
import { localFile } from "../local-files.ts";
import { MiddleCutName } from "../middle-cut-name.tsx";
import { useFileFacts } from "../use-file-facts.ts";
import { useDownload } from "./use-download.ts";

const textModule = lazyModule(() => import("./file-text-dialog.tsx"));

const FACTS = "flex min-w-0 flex-1 items-center gap-3 self-stretch px-3 py-2 text-start";

/**
 * A file of a message that is not a picture. Pressing it shows its text, which the server does not have of a file of a
 * temporary chat.
 */
export function FileCard({ file }: { file: AttachedFile }) {
  const { t } = useTranslation("files");
  const { name, type, remark } = file;
  const shownFacts = useFileFacts(file);
  const [isOpen, setOpen] = useState(false);
  const text = useLazyModule(textModule, isOpen, () => setOpen(false));
  const { download, isBusy } = useDownload(file);
  const facts = (
    <>
      <KindIcon kind={shownKindOf(type, name)} className="size-5 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex font-medium text-sm">
          <MiddleCutName name={name} />
        </span>
        <span className="text-muted text-xs tabular-nums">{shownFacts}</span>
        {remark && <span className="text-muted text-xs">{t(`remarks.${remark}`)}</span>}
      </span>
    </>
  );
  return (
    <div className="relative flex min-h-14 w-72 max-w-full items-center gap-1 rounded-control border border-hairline bg-raised pe-1.5">
      {localFile(file.id) ? (
        <div className={FACTS}>{facts}</div>
      ) : (
        <button
          type="button"
          aria-description={t("showText", { name })}
          aria-haspopup="dialog"
          className={cx(FACTS, "rounded-control hover:bg-hover")}
          onClick={() => setOpen(true)}
        >
          {facts}
        </button>
      )}
      <IconButton
        label={t("downloadOf", { name })}
        hint={t("download")}
        icon={isBusy ? <Spinner /> : <Download aria-hidden="true" />}
        size="small"
        className="print:hidden [&_svg]:size-4"
        onClick={download}
      />
      {text && isOpen && <text.default file={file} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Whether a file is shown as a picture. */
export const isPicture = ({ type }: Pick<AttachedFile, "type">) => fileKindOf(type) === "picture";
