import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DraftFile } from "../draft-files.ts";
import { failureWords } from "./failure-words.ts";
import { newsBetween } from "./upload-news.ts";

/** Announces to screen readers which files are uploaded or have failed; the progress in between is not announced. */
export function UploadAnnouncer({ files }: { files: readonly DraftFile[] }) {
  const { t } = useTranslation("files");
  const [seen, setSeen] = useState({ files, words: "" });
  if (seen.files !== files) {
    const news = newsBetween(seen.files, files).map(({ name, error, isLocal }) =>
      error === undefined
        ? t(isLocal ? "attached" : "uploaded", { name })
        : t("problem", { name, reason: failureWords(error) }),
    );
    const words = news.length > 0 ? news.join(" ") : seen.words;
    // Screen readers announce only changes: a no-break space makes a repeated text different.
    setSeen({ files, words: news.length > 0 && words === seen.words ? `${words}\u00A0` : words });
  }
  return (
    <p role="status" className="sr-only">
      {seen.words}
    </p>
  );
}
