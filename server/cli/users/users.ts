import {
  disableAccount,
  enableAccount,
  endSessionsOf,
  verifyAccount,
} from "../../accounts/administration/account-lifecycle.ts";
import { type ListedAccount, listAllAccounts } from "../../accounts/administration/account-list-store.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { resetSecondFactor } from "../../accounts/administration/reset-second-factor.ts";
import type { SessionRow, UserRow } from "../../database/schema.ts";
import { type Command, type Outcome, Refusal, toTable, toTime } from "../command.ts";
import { openCurrent } from "../open-installation.ts";
import { removeAccount } from "./remove-account.ts";
import { iso, userData, withAccount } from "./users-named.ts";

const USER = "USER";
const one = { min: 1, max: 1 };
const WHO = `${USER} is a username, an address or an id.`;

const list: Command = {
  name: "users list",
  usage: "",
  summary: "Lists all accounts, oldest first.",
  async run(call) {
    const database = await openCurrent(call);
    const accounts = await listAllAccounts(database).finally(() => database.destroy());
    const rows = accounts.map((account) => [
      ...[account.username, account.email, stateOf(account), toTime(account.created_at)],
      ...[toTime(account.last_seen_at || null), String(account.chats)],
    ]);
    return {
      data: {
        users: accounts.map((user) => ({
          ...userData(user),
          lastSeenAt: iso(user.last_seen_at || null),
          chats: user.chats,
        })),
      },
      lines: toTable(["USERNAME", "ADDRESS", "STATE", "CREATED", "LAST SEEN", "CHATS"], rows),
    };
  },
};

function stateOf({ disabled_at, delete_at, verified_at }: ListedAccount): string {
  if (delete_at !== null) return "to be deleted";
  if (disabled_at !== null) return "disabled";
  return verified_at === null ? "not verified" : "open";
}

/** Returns the outcome of a change to an account, which may have been unnecessary. */
const outcome = (user: UserRow, isChanged: boolean, done: string, already: string): Outcome => ({
  data: { id: user.id, username: user.username, changed: isChanged },
  lines: [`${user.username} ${isChanged ? done : already}.`],
});

const verify: Command = {
  name: "users verify",
  usage: USER,
  summary: "Marks an account's address as verified, as if its owner had used the mailed key.",
  details: [WHO],
  operands: one,
  run: (call) =>
    withAccount(call, async (deps, user) => {
      call.print(`Marks ${user.email} as the verified address of ${user.username}; other claims to it end.`);
      return outcome(user, await verifyAccount(deps, user, commandLine), "is verified", "was already verified");
    }),
};

const disable: Command = {
  name: "users disable",
  usage: USER,
  summary: "Blocks sign-ins to an account and signs it out everywhere, at once; no data is lost.",
  details: [WHO, "Only a sign-in with the right password reports that the account is disabled."],
  operands: one,
  run: (call) =>
    withAccount(call, async (deps, user) => {
      call.print(`Disables ${user.username} and ends all its sessions.`);
      return outcome(user, await disableAccount(deps, user.id, commandLine), "is disabled", "was already disabled");
    }),
};

const enable: Command = {
  name: "users enable",
  usage: USER,
  summary: "Allows sign-ins to a disabled account again.",
  details: [WHO],
  operands: one,
  run: (call) =>
    withAccount(call, async (deps, user) =>
      outcome(user, await enableAccount(deps, user.id, commandLine), "is enabled", "was not disabled"),
    ),
};

const sessions: Command = {
  name: "users sessions",
  usage: `${USER} [--end SESSION | --end-all]`,
  summary: "Lists where an account is signed in, or signs it out there.",
  details: [WHO, "--end SESSION  ends the session of that id", "--end-all      ends all of them"],
  options: { end: { type: "string" }, "end-all": { type: "boolean" } },
  operands: one,
  run: (call) =>
    withAccount(call, async (deps, user) => {
      const id = call.text("end");
      if (id === undefined && !call.has("end-all")) return sessionsOutcome(user, await deps.sessions.list(user.id));
      call.print(`Ends ${id === undefined ? "all sessions" : `the session ${id}`} of ${user.username}.`);
      const isEnded = await endSessionsOf(deps, user.id, { sessionId: id, by: commandLine });
      if (!isEnded && id !== undefined) throw new Refusal(`${user.username} has no session ${id}.`);
      return outcome(user, isEnded, "is signed out there", "was not signed in");
    }),
};

function sessionsOutcome({ id, username }: UserRow, rows: SessionRow[]): Outcome {
  const table = rows.map((row) => [
    ...[row.id, row.method, toTime(row.created_at), toTime(row.last_seen_at), row.ip || "–", row.user_agent || "–"],
  ]);
  return {
    data: {
      ...{ id, username },
      sessions: rows.map((row) => ({
        id: row.id,
        method: row.method,
        createdAt: iso(row.created_at),
        lastSeenAt: iso(row.last_seen_at),
        ip: row.ip,
        userAgent: row.user_agent,
      })),
    },
    lines: toTable(["SESSION", "SIGNED IN BY", "SIGNED IN", "LAST SEEN", "ADDRESS", "PROGRAM"], table),
  };
}

const secondFactor: Command = {
  name: "users reset-second-factor",
  usage: USER,
  summary: "Removes the second factor of an account whose owner has lost it; the owner gets a mail.",
  details: [WHO, "Make sure that it is the owner who asks: the password alone signs in afterwards."],
  operands: one,
  run: (call) =>
    withAccount(call, async (deps, user) => {
      call.print(`Removes the second factor of ${user.username}.`);
      const isReset = await resetSecondFactor(deps, user.id, commandLine);
      return outcome(user, isReset, "signs in without a second factor", "had no second factor");
    }),
};

const remove: Command = {
  name: "users delete",
  usage: `${USER} [--yes]`,
  summary: "Deletes an account and all its data permanently and at once; its owner gets a receipt by mail.",
  details: [WHO],
  operands: one,
  run: (call) =>
    withAccount(call, async (deps, user) => {
      await call.confirm(`Permanently deletes ${user.username} (${user.email}) with all chats.`);
      const isGone = await removeAccount(call, deps, user.id);
      return {
        data: { id: user.id, username: user.username, deleted: isGone },
        lines: [isGone ? `${user.username} is deleted.` : `${user.username} is being deleted by the running server.`],
      };
    }),
};

export const userCommands: readonly Command[] = [list, verify, disable, enable, sessions, secondFactor, remove];
