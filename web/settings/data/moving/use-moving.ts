import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { ForeignChoice } from "#contract/transfer/services/chosen-chats.ts";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";
import { failureText } from "../../../forms/failure-text.ts";
import { importForeign, survey } from "../../../transfer/foreign/foreign-import.ts";
import { storageQuery } from "../storage-query.ts";

/** A file that was read. */
export type Surveyed = Awaited<ReturnType<typeof survey>>;

/** How an import ended. `text`: sentence for the failure. */
export type Ending = { kind: "done" } | { kind: "stopped" } | { kind: "failed"; text: string };

/** `share`: completed fraction, 0 to 1. */
export type MovingStep =
  | { kind: "reading"; share: number }
  | { kind: "preview"; surveyed: Surveyed }
  | { kind: "importing"; surveyed: Surveyed; share: number; imported: number }
  | { kind: "ended"; surveyed: Surveyed; choice: ForeignChoice; report: ForeignReport; ending: Ending };

/** Report of an import that has not begun. */
function emptyReport({ nodes }: Surveyed): ForeignReport {
  return {
    imported: 0,
    skipped: 0,
    deleted: 0,
    folders: 0,
    presets: 0,
    problems: [],
    files: 0,
    lostFiles: [],
    fates: { message: 0, part: 0, file: 0, hidden: 0, unreadable: 0 },
    unreadable: {},
    notChosen: 0,
    notImported: 0,
    nodes,
    missingFiles: 0,
    projects: { instructions: 0, documents: 0 },
  };
}

/**
 * Reads a file of another service at once, then imports what is chosen. Unmounting stops both.
 * @param onRefused receives the error of a file that cannot be read
 */
export function useMoving(file: Blob, onRefused: (error: unknown) => void) {
  const [step, setStep] = useState<MovingStep>({ kind: "reading", share: 0 });
  const work = useRef<AbortController | null>(null);
  const refuse = useEffectEvent(onRefused);

  useEffect(() => {
    const own = new AbortController();
    work.current = own;
    const onProgress = (share: number) => {
      if (!own.signal.aborted) setStep({ kind: "reading", share });
    };
    survey(file, own.signal, onProgress).then(
      (surveyed) => {
        if (!own.signal.aborted) setStep({ kind: "preview", surveyed });
      },
      (error: unknown) => {
        if (!own.signal.aborted) refuse(error);
      },
    );
    return () => work.current?.abort();
  }, [file]);

  const start = async (surveyed: Surveyed, choice: ForeignChoice) => {
    const own = new AbortController();
    work.current = own;
    let report = emptyReport(surveyed);
    // A report of a part of the file counts only the nodes of that part.
    const end = (ending: Ending) => {
      setStep({ kind: "ended", surveyed, choice, report: { ...report, nodes: surveyed.nodes }, ending });
      void storageQuery.reload();
    };
    setStep({ kind: "importing", surveyed, share: 0, imported: 0 });
    try {
      report = await importForeign(surveyed, choice, own.signal, (share, sofar) => {
        report = sofar;
        setStep({ kind: "importing", surveyed, share, imported: sofar.imported });
      });
      end({ kind: "done" });
    } catch (error) {
      if (own.signal.aborted) end({ kind: "stopped" });
      else end({ kind: "failed", text: failureText(error) ?? "" });
    }
  };
  return { step, start, stop: () => work.current?.abort() };
}
