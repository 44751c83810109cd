import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { KindIcon, shownKindOf } from "../file-kind.tsx";
import { MiddleCutName } from "../middle-cut-name.tsx";
import { useFileFacts } from "../use-file-facts.ts";
import { useFileViewer } from "../use-file-viewer.tsx";
import { useDownload } from "./use-download.ts";

/** A file of a message that is not a picture. Pressing it opens the viewer. */
export function FileCard({ file }: { file: AttachedFile }) {
  const { t } = useTranslation("files");
  const { name, type, remark } = file;
  const shownFacts = useFileFacts(file);
  const { open, viewer } = useFileViewer([file]);
  const { download, isBusy } = useDownload(file);
  return (
    <div className="relative flex min-h-14 w-72 max-w-full items-center gap-1 rounded-control border border-hairline bg-raised pe-1.5">
      <button
        type="button"
        aria-description={t("open", { name })}
        aria-haspopup="dialog"
        className="flex min-w-0 flex-1 items-center gap-3 self-stretch rounded-control px-3 py-2 text-start hover:bg-hover"
        onClick={() => open(file.id)}
      >
        <KindIcon kind={shownKindOf(type, name)} className="size-5 shrink-0 text-muted" />
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="flex font-medium text-sm">
            <MiddleCutName name={name} />
          </span>
          <span className="text-muted text-xs tabular-nums">{shownFacts}</span>
          {remark && <span className="text-muted text-xs">{t(`remarks.${remark}`)}</span>}
        </span>
      </button>
      <IconButton
        label={t("downloadOf", { name })}
        hint={t("download")}
        icon={isBusy ? <Spinner /> : <Download aria-hidden="true" />}
        size="small"
        className="print:hidden [&_svg]:size-4"
        onClick={download}
      />
      {viewer}
    </div>
  );
}
