import { MINUTE } from "#contract/limits.ts";
import { keyLivesMs } from "../../accounts/mailed-keys/mailed-keys.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Command, Refusal } from "../command.ts";
import { iso, withAccount } from "./users-named.ts";

/** Command that prints a link by which an owner signs in while the only identity provider cannot be used. */
export const signInLink: Command = {
  name: "sign-in-link",
  usage: "OWNER",
  summary: "Prints a link by which an owner signs in once, for the time when no identity provider can be used.",
  details: ["OWNER is a username, an address or an id.", "The link works for ten minutes, and is recorded."],
  operands: { min: 1, max: 1 },
  run: (call) =>
    withAccount(call, async ({ clock, config, database, mails }, user) => {
      const { id, username, role } = user;
      if (role !== "owner") throw new Refusal(`${username} is not an owner.`);
      const { key, expiresAt } = await database.transaction().execute(async (db) => {
        await recordAudit(db, { kind: "sign-in-link-made", at: clock.now(), actor: null, subject: id });
        return mails.makeSignInKey(db, user);
      });
      const link = `${config.publicUrl}/verify-email?key=${key}&email=${encodeURIComponent(username)}`;
      return {
        data: { id, username, link, expiresAt: iso(expiresAt) },
        lines: [`Within ${keyLivesMs["sign-in"] / MINUTE} minutes, this link signs in as ${username}:`, link],
      };
    }),
};
