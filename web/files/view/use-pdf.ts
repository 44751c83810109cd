import { useEffect, useEffectEvent, useState } from "react";
import type { AttachedFile } from "#contract/files/files.ts";
import { ApiError } from "../../api/client.ts";
import { log } from "../../log.ts";
import { readFileBytes } from "../shown/read-file-bytes.ts";
import { PdfError, type PdfFailure, PdfPages } from "./pdf-pages.ts";

/** Why a PDF is not drawn: also because the server cannot read it, has it no more, or is not reached. */
export type UndrawnReason = PdfFailure | "too-complex" | "gone" | "unreached";

export type PdfState =
  | { kind: "loading" }
  | { kind: "open"; pages: PdfPages }
  | { kind: "undrawn"; reason: UndrawnReason };

const LOADING: PdfState = { kind: "loading" };

/** Remarks of the server about files that it could not read within its limits: they are not read here either. */
const refusals: readonly AttachedFile["remark"][] = ["encrypted", "broken", "too-complex"];

/** Opens a PDF in a worker of its own, which ends with the component. */
export function usePdf({ id, remark }: AttachedFile): PdfState & { retry: () => void } {
  const refusal = refusals.includes(remark) ? (remark as UndrawnReason) : undefined;
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<PdfState>(LOADING);
  const stop = useEffectEvent((reason: UndrawnReason) => setState({ kind: "undrawn", reason }));
  useEffect(() => {
    if (refusal !== undefined) return;
    // Each attempt has its own dependencies.
    void attempt;
    const abort = new AbortController();
    const { signal } = abort;
    let pages: PdfPages | undefined;
    const open = async () => {
      const bytes = await readFileBytes(id, signal);
      signal.throwIfAborted();
      pages = new PdfPages((reason) => stop(reason));
      await pages.open(bytes, signal);
      if (!signal.aborted) setState({ kind: "open", pages });
    };
    open().catch((cause: unknown) => {
      if (!signal.aborted) stop(reasonOf(cause));
    });
    return () => {
      abort.abort();
      pages?.[Symbol.dispose]();
    };
  }, [id, refusal, attempt]);
  const retry = () => {
    setState(LOADING);
    setAttempt((last) => last + 1);
  };
  return { ...(refusal === undefined ? state : { kind: "undrawn", reason: refusal }), retry };
}

function reasonOf(cause: unknown): UndrawnReason {
  if (cause instanceof PdfError) return cause.reason;
  if (cause instanceof ApiError) return cause.status === 404 ? "gone" : "unreached";
  log.warn("A PDF could not be drawn", cause);
  return "missing";
}
