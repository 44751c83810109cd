/** The files of a draft, above its text. Loaded with the first file of a draft. */

import { memo, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { useStore } from "../../store/use-store.ts";
import type { DraftFile, DraftFiles } from "../draft-files.ts";
import { isRefused } from "../upload/upload-state.ts";
import { DraftFileTile } from "./draft-file-tile.tsx";
import { notifyRefused } from "./notify-refused.ts";
import { UploadAnnouncer } from "./upload-announcer.tsx";
import { useRemoval } from "./use-removal.ts";

registerTexts("files", files);

type DraftFileRowProps = {
  draft: Pick<DraftFiles, "files" | "remove" | "undoRemove" | "retry">;
  /** Called when the focused file was removed and no other is left to take the focus. */
  onEmptied: () => void;
};

/**
 * Thumbnails and cards in rows, which scroll if there are many. Delete or Backspace removes the focused file. A file that
 * turns out to be one that can never be sent leaves the draft, and a notification names it. Memoised, because the message
 * box renders at each key press.
 */
export default memo(function DraftFileRow({ draft, onEmptied }: DraftFileRowProps) {
  const { t } = useTranslation("files");
  const all = useStore(draft.files);
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const list = useScrolledList(all);
  const removeFile = useRemoval(draft);
  useEffect(() => {
    const refused = all.filter(isRefused);
    for (const { id } of refused) draft.remove(id);
    notifyRefused(refused.map(({ name, error }) => ({ name, code: error ?? "internal" })));
  }, [all, draft]);
  const remove = (file: DraftFile) => {
    const at = all.indexOf(file);
    // Before its button is removed, which would lose the focus.
    const neighbour = buttons.current.get((all[at + 1] ?? all[at - 1])?.id ?? "");
    if (neighbour) neighbour.focus();
    else onEmptied();
    removeFile(file);
  };
  return (
    <>
      {all.length > 0 && (
        <ul
          ref={list}
          aria-label={t("label")}
          className="flex max-h-[min(12rem,30dvh)] scroll-py-3 flex-wrap gap-2 overflow-y-auto overscroll-contain px-3 pt-3 pb-1"
        >
          {all.map((file) => (
            <DraftFileTile
              key={file.id}
              file={file}
              onRemove={() => remove(file)}
              onRetry={() => {
                // The retry button is removed: move the focus first.
                buttons.current.get(file.id)?.focus();
                draft.retry(file.id);
              }}
              removeButton={(button) => {
                if (button) buttons.current.set(file.id, button);
                return () => void buttons.current.delete(file.id);
              }}
            />
          ))}
        </ul>
      )}
      <UploadAnnouncer files={all} />
    </>
  );
});

/** Scrolls the list to files that were added or have failed: it may show only some of its rows. */
function useScrolledList(all: readonly DraftFile[]) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef<readonly DraftFile[]>(all);
  useLayoutEffect(() => {
    const known = new Map(before.current.map((file) => [file.id, file.state]));
    before.current = all;
    const at = all.findLastIndex(({ id, state }) => !known.has(id) || (state === "failed" && known.get(id) !== state));
    if (at !== -1) list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [all]);
  return list;
}
