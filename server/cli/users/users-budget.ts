import { BUDGET_MAX_USD, BUDGET_MIN_USD, budgetUsdSchema } from "#contract/models/budgets.ts";
import { setRights } from "../../accounts/administration/account-rights.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { toUsd } from "../../database/nano-usd.ts";
import { type Call, type Command, Refusal } from "../command.ts";
import { withAccount } from "./users-named.ts";

/** Command that shows or sets the monthly budget of an account. */
export const budget: Command = {
  name: "users budget",
  usage: "USER [--usd NUMBER | --default]",
  summary: "Shows what calls to models of an account may cost in a month, or sets it.",
  details: [
    "USER is a username, an address or an id.",
    "--usd NUMBER  sets a budget of its own in US dollars a month, instead of that of its group’s members",
    "--default     sets the budget of its group’s members again",
  ],
  options: { usd: { type: "string" }, default: { type: "boolean" } },
  operands: { min: 1, max: 1 },
  run: (call) => {
    const wanted = wantedBudget(call);
    return withAccount(call, async (deps, user) => {
      if (wanted === undefined) {
        return shown(user, { budgetUsd: user.budget === null ? null : toUsd(user.budget), changed: false });
      }
      call.print(`Sets the budget of ${user.username} to ${wanted === null ? "the default" : `$${wanted}`}.`);
      const changed = await setRights(deps, user.id, { budgetUsd: wanted, by: commandLine });
      return shown(user, { budgetUsd: wanted, changed });
    });
  },
};

/** Returns the requested budget in US dollars; `null`: that of the group; `undefined`: no change. */
function wantedBudget(call: Call): number | null | undefined {
  const text = call.text("usd");
  if (call.has("default")) {
    if (text !== undefined) throw new Refusal("Give --usd or --default, not both.", "usage");
    return null;
  }
  if (text === undefined) return undefined;
  const usd = Number(text);
  if (!/^\d+(?:\.\d{1,2})?$/.test(text) || !budgetUsdSchema.safeParse(usd).success) {
    throw new Refusal(`--usd must be a number from ${BUDGET_MIN_USD} to ${BUDGET_MAX_USD}, in whole cents.`, "usage");
  }
  return usd;
}

type Shown = { budgetUsd: number | null; changed: boolean };

function shown({ id, username }: { id: string; username: string }, { budgetUsd, changed }: Shown) {
  const words = budgetUsd === null ? "no budget of its own" : `a budget of $${budgetUsd} a month`;
  return { data: { id, username, budgetUsd, changed }, lines: [`${username} has ${words}.`] };
}
