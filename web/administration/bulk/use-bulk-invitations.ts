import { useEffect, useRef, useState } from "react";
import type { BulkInvitations, BulkOutcome } from "#contract/administration/bulk-invitations.ts";
import { ApiError } from "../../api/api-error.ts";
import { failureText } from "../../forms/failure-text.ts";
import { type Failure, toFailure } from "../../forms/use-sending.ts";
import { withProof } from "../../proof/proof.ts";
import { invitationsApi } from "../invitations-api.ts";
import { afterPauses } from "./after-pauses.ts";
import type { ListLine, ListProblem } from "./read-list.ts";

/** Lines of one request, so that the progress moves. */
const LINES_AT_ONCE = 50;

/** State of a line of the report: why it was left out, or the server's result. */
export type LineState = ListProblem | BulkOutcome | "unsent" | "revoked";
/** `id`, `link`: of its invitation. */
export type ReportedLine = Omit<ListLine, "problem"> & { state: LineState; id?: string; link?: string };

type SharedFields = Omit<BulkInvitations, "lines">;
/** What all invitations of a list have in common. */
export type BulkOptions = Omit<SharedFields, "replace">;

/** `pause`: the refusal after which the server asked for a pause. */
export type BulkProgress = { kind: "inviting" | "revoking"; done: number; total: number; pause: unknown };

/** States of lines that can be sent again as they are. */
const REMAINING: readonly LineState[] = ["unsent", "too-many-mails", "too-many-mails-to-address"];
export const isRemaining = ({ state }: ReportedLine): boolean => REMAINING.includes(state);

export type BulkSending = {
  /** Null before the list is sent. */
  lines: readonly ReportedLine[] | null;
  progress: BulkProgress | null;
  failure: Failure | null;
  options: BulkOptions;
  start: (lines: readonly ListLine[], options: BulkOptions) => void;
  /** Invites the lines that are left after a stop, a failure or a limit. */
  goOn: () => void;
  /** Revokes the open invitations of `already-invited` lines, and makes new ones. */
  replace: () => void;
  revokeAll: () => void;
  /** Ends the work after the running request. */
  stop: () => void;
};

type Work = {
  kind: BulkProgress["kind"];
  all: readonly ReportedLine[];
  isMeant: (line: ReportedLine) => boolean;
  linesAtOnce: number;
  /** Makes one request. @returns the changed lines */
  act: (run: readonly ReportedLine[]) => Promise<ReportedLine[]>;
};

/** Sends a list in several requests, with its progress, and reports the result of each line. */
export function useBulkInvitations(onChanged: () => void): BulkSending {
  const [lines, setLines] = useState<readonly ReportedLine[] | null>(null);
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [options, setOptions] = useState<BulkOptions>({});
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async ({ kind, all, isMeant, linesAtOnce, act }: Work) => {
    if (running.current) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    running.current = stopping;
    const meant = all.filter(isMeant);
    const changed = new Map<ReportedLine, ReportedLine>();
    setFailure(null);
    try {
      for (let done = 0; done < meant.length && !signal.aborted; done += linesAtOnce) {
        const some = meant.slice(done, done + linesAtOnce);
        const shown = { kind, done, total: meant.length };
        setProgress({ ...shown, pause: null });
        const onPause = (pause: unknown) => setProgress({ ...shown, pause });
        const results = await afterPauses(() => withProof(() => act(some)), { signal, onPause });
        for (const [index, line] of some.entries()) changed.set(line, results[index] ?? line);
        setLines(all.map((line) => changed.get(line) ?? line));
      }
    } catch (error) {
      if (!signal.aborted) setFailure(toFailure(error, failureText));
    }
    running.current = null;
    setProgress(null);
    onChanged();
  };

  const invite = (all: readonly ReportedLine[], isMeant: Work["isMeant"], shared: SharedFields) => {
    const act = (some: readonly ReportedLine[]) => inviteLines(some, shared);
    void run({ kind: "inviting", all, isMeant, linesAtOnce: LINES_AT_ONCE, act });
  };

  return {
    lines,
    progress,
    failure,
    options,
    start: (list, given) => {
      const all = list.map(({ problem, ...line }): ReportedLine => ({ ...line, state: problem ?? "unsent" }));
      setOptions(given);
      setLines(all);
      invite(all, isRemaining, given);
    },
    goOn: () => invite(lines ?? [], isRemaining, options),
    replace: () => invite(lines ?? [], ({ state }) => state === "already-invited", { ...options, replace: true }),
    revokeAll: () =>
      void run({
        kind: "revoking",
        all: lines ?? [],
        isMeant: ({ state }) => state === "invited",
        linesAtOnce: 1,
        act: async ([line]) => (line ? [await revokeLine(line)] : []),
      }),
    stop: () => running.current?.abort(),
  };
}

async function inviteLines(some: readonly ReportedLine[], shared: SharedFields): Promise<ReportedLine[]> {
  const lines = some.map(({ address, note }) => ({ address, note }));
  const { results } = await invitationsApi.createSeveral({ ...shared, lines });
  return some.map(({ line, address, note }, index) => {
    const { outcome = "unsent", id, link } = results[index] ?? {};
    return {
      line,
      address,
      note,
      state: outcome,
      ...(id !== undefined && { id }),
      ...(link !== undefined && { link }),
    };
  });
}

/** An invitation that is gone counts as revoked. The revoked line has no link. */
async function revokeLine({ line, address, note, id }: ReportedLine): Promise<ReportedLine> {
  try {
    await invitationsApi.revoke(id ?? "");
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not-found")) throw error;
  }
  return { line, address, note, state: "revoked" };
}
