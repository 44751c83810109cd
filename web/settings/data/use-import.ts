import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FileRefusal } from "#contract/transfer/archive/file-refusal.ts";
import type { ImportReport } from "#contract/transfer/import/import-source.ts";
import { failureText } from "../../forms/failure-text.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { storageQuery } from "./storage-query.ts";

const importModule = lazyModule(() => import("../../transfer/import-file.ts"));

const nothing: ImportReport = {
  imported: 0,
  skipped: 0,
  deleted: 0,
  folders: 0,
  presets: 0,
  problems: [],
  files: 0,
  lostFiles: [],
};

const refusalTexts = {
  "not-an-export": "notAnExport",
  "newer-export": "newerExport",
  "broken-archive": "brokenArchive",
  "archive-too-complex": "archiveTooComplex",
} as const satisfies Record<FileRefusal["reason"], string>;

/**
 * State of an import. `share`: part of the file that was read, from 0 to 1. `foreign`: the file is no export of Parley;
 * the lazy module `moving/moving.tsx` goes on with it.
 */
type State =
  | { kind: "idle" }
  | { kind: "running"; share: number; imported: number }
  | { kind: "foreign"; file: File }
  | { kind: "done"; result: ImportReport; isStopped: boolean }
  | { kind: "failed"; text: string };

/** Imports files, one at a time; `take` ignores a file while another is imported. Unmounting stops the import. */
export function useImport() {
  const { t } = useTranslation("transfer");
  const [state, setState] = useState<State>({ kind: "idle" });
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  const refuse = (error: unknown) => {
    const text = error instanceof FileRefusal ? t(refusalTexts[error.reason]) : (failureText(error) ?? "");
    setState({ kind: "failed", text });
  };
  const take = async (file: File | undefined) => {
    if (!file || state.kind === "running" || state.kind === "foreign") return;
    const own = new AbortController();
    work.current = own;
    let result = nothing;
    setState({ kind: "running", share: 0, imported: 0 });
    try {
      const { importFile } = await importModule.load();
      result = await importFile(file, own.signal, (share, sofar) => {
        result = sofar;
        setState({ kind: "running", share, imported: sofar.imported });
      });
      setState({ kind: "done", result, isStopped: false });
    } catch (error) {
      if (own.signal.aborted) setState({ kind: "done", result, isStopped: true });
      else if (!(error instanceof FileRefusal)) {
        setState({ kind: "failed", text: `${failureText(error) ?? ""} ${t("again")}` });
      } else if (error.reason === "not-an-export") return setState({ kind: "foreign", file });
      else refuse(error);
    }
    void storageQuery.reload();
  };
  return { state, take, stop: () => work.current?.abort(), refuse, close: () => setState({ kind: "idle" }) };
}
