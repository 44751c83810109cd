import { type AccountRole, accountRoles } from "#contract/accounts/roles.ts";
import { setRights } from "../../accounts/administration/account-rights.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { type Call, type Command, Refusal } from "../command.ts";
import { withAccount } from "./users-named.ts";

/** Command that shows or sets the role of an account. */
export const role: Command = {
  name: "users role",
  usage: "USER [ROLE]",
  summary: "Shows the role of an account, or sets it; names a new owner if nobody can.",
  details: ["USER is a username, an address or an id.", `ROLE is one of: ${accountRoles.join(", ")}.`],
  operands: { min: 1, max: 2 },
  run: (call) => {
    const wanted = wantedRole(call);
    return withAccount(call, async (deps, user) => {
      const { id, username } = user;
      if (wanted === undefined) {
        return { data: { id, username, role: user.role, changed: false }, lines: [`${username}: ${user.role}.`] };
      }
      call.print(`Changes the role of ${username} from ${user.role} to ${wanted}.`);
      const isChanged = await setRights(deps, id, { role: wanted, by: commandLine });
      return {
        data: { id, username, role: wanted, changed: isChanged },
        lines: [`${username} ${isChanged ? "is now" : "already was"} ${wanted}.`],
      };
    });
  },
};

function wantedRole(call: Call): AccountRole | undefined {
  const text = call.operands[1];
  if (text === undefined) return undefined;
  const found = accountRoles.find((name) => name === text);
  if (!found) throw new Refusal(`The role must be one of: ${accountRoles.join(", ")}.`, "usage");
  return found;
}
