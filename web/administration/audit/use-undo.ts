import { useState } from "react";
import { useTranslation } from "react-i18next";
import { accountRoles, hasRole, mayGiveRole } from "#contract/accounts/roles.ts";
import type { AuditEntry } from "#contract/administration/administration.ts";
import { settingNames } from "#contract/administration/installation.ts";
import { SECOND } from "#contract/limits.ts";
import { useSession } from "../../accounts/session/session.ts";
import { refusedIssues } from "../../forms/field-errors.ts";
import { type RunningAction, useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { administrationApi } from "../administration-api.ts";
import { installationApi } from "../installation/installation-api.ts";

const NOTIFICATION_MS = 6 * SECOND;

/** A change that a record describes and that can be undone by the ordinary call. */
type UndoableChange = {
  /** Returns the value that applies now, as a record has it. */
  readNow: () => Promise<unknown>;
  /** The value after the change. */
  after: unknown;
  /** Sets the value before the change. */
  restore: () => Promise<unknown>;
};

/** The group of a record was deleted since, so that nobody can be moved back to it. */
class GroupGone extends Error {}

/** @throws GroupGone, ApiError */
async function moveBack(id: string, groupId: string | null): Promise<void> {
  try {
    await administrationApi.changeAccount(id, { groupId });
  } catch (error) {
    throw refusedIssues(error).some(({ field }) => field === "groupId") ? new GroupGone() : error;
  }
}

const noSignal = () => new AbortController().signal;

/** Returns the change of a record; null if it has another kind, or its account is gone. */
function undoableChange({ kind, subject, before, after }: AuditEntry): UndoableChange | null {
  if (!before || !after) return null;
  if (kind === "setting-changed") {
    const name = settingNames.find((each) => each in before);
    if (!name) return null;
    return {
      readNow: async () => {
        const { source, value } = (await installationApi.readSettings(noSignal()))[name];
        return source === "database" ? value : null;
      },
      after: after[name],
      restore: () => installationApi.changeSettings({ [name]: before[name] }),
    };
  }
  if (subject?.username === undefined) return null;
  const { id } = subject;
  const readAccount = () => administrationApi.readAccount(id, noSignal());
  const amount = (value: unknown) => (typeof value === "number" ? value : null);
  if (kind === "quota-changed") {
    return {
      readNow: async () => (await readAccount()).quotaMb ?? null,
      after: after.quotaMb,
      restore: () => administrationApi.changeAccount(id, { quotaMb: amount(before.quotaMb) }),
    };
  }
  if (kind === "budget-changed") {
    return {
      readNow: async () => (await readAccount()).budgetUsd ?? null,
      after: after.budgetUsd,
      restore: () => administrationApi.changeAccount(id, { budgetUsd: amount(before.budgetUsd) }),
    };
  }
  if (kind === "second-factor-requirement-changed") {
    return {
      readNow: async () => ((await readAccount()).needsSecondFactor ? "on" : "off"),
      after: after.needsSecondFactor,
      restore: () => administrationApi.changeAccount(id, { needsSecondFactor: before.needsSecondFactor === "on" }),
    };
  }
  if (kind === "group-assigned") {
    return {
      readNow: async () => (await readAccount()).group?.id ?? null,
      after: after.group,
      restore: () => moveBack(id, typeof before.group === "string" ? before.group : null),
    };
  }
  const role = accountRoles.find((each) => each === before.role);
  if (kind !== "role-changed" || !role) return null;
  return {
    readNow: async () => (await readAccount()).role,
    after: after.role,
    restore: () => administrationApi.changeAccount(id, { role }),
  };
}

export type Undo = Pick<RunningAction<number>, "busy" | "failure"> & {
  /** Whether the record has a change that the person may undo. */
  isUndoable: (entry: AuditEntry) => boolean;
  /** Undoes the change of a record; if it was changed again since, only sets {@link asked}. */
  undo: (entry: AuditEntry) => void;
  /** Record whose value was changed again since; null if there is no question. */
  asked: AuditEntry | null;
  /** Answers the question. */
  answer: (isConfirmed: boolean) => void;
};

/** Undoes changes by the records of them. `onUndone` is called after each. */
export function useUndo(onUndone: () => void): Undo {
  const { t } = useTranslation("administration");
  const { user } = useSession();
  const own = user?.role ?? "person";
  const { run, busy, failure } = useAction<number>();
  const [asked, setAsked] = useState<AuditEntry | null>(null);

  const isUndoable = (entry: AuditEntry) => {
    if (undoableChange(entry) === null) return false;
    if (entry.kind === "setting-changed") return hasRole(own, "owner");
    const roles = [entry.before?.role, entry.after?.role].flatMap(
      (name) => accountRoles.find((role) => role === name) ?? [],
    );
    return roles.every((role) => mayGiveRole(own, role));
  };
  const restore = async (change: UndoableChange) => {
    try {
      await withProof(change.restore);
    } catch (error) {
      if (!(error instanceof GroupGone)) throw error;
      notify("error", t("audit.groupGone"));
      return;
    }
    notify("info", t("audit.undone"), { durationMs: NOTIFICATION_MS });
    onUndone();
  };
  const undo = (entry: AuditEntry) => {
    const change = undoableChange(entry);
    if (!change) return;
    void run(entry.seq, async () => {
      const isSame = JSON.stringify(await change.readNow()) === JSON.stringify(change.after);
      if (isSame) await restore(change);
      else setAsked(entry);
    });
  };
  const answer = (isConfirmed: boolean) => {
    const change = asked && undoableChange(asked);
    setAsked(null);
    if (isConfirmed && asked && change) void run(asked.seq, () => restore(change));
  };
  return { busy, failure, isUndoable, undo, asked, answer };
}
