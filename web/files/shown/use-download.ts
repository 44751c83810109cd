import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { ApiError } from "../../api/client.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { saveFile } from "../../ui/save-file.ts";
import { usePictures } from "./pictures.ts";
import { readFileBytes } from "./read-file-bytes.ts";

type Downloaded = Pick<AttachedFile, "id" | "name">;

/** Saves a file through a browser download. A failure shows a notification. */
export function useDownload({ id, name }: Downloaded): { download: () => void; isBusy: boolean } {
  const { t } = useTranslation("files");
  const pictures = usePictures();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const known = pictures.state(id).get();
      saveFile(known.kind === "loaded" ? known.blob : await readFileBytes(id), name);
    } catch (cause) {
      const isGone = cause instanceof ApiError && cause.status === 404;
      notify("error", t(isGone ? "isGone" : "notDownloaded", { name }));
    } finally {
      setBusy(false);
    }
  };
  return { download: () => void download(), isBusy };
}
