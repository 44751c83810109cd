import type { AccountGroup, GroupChange } from "#contract/administration/groups.ts";
import { groupNameKeyOf } from "../accounts/account-keys.ts";
import type { CountedGroup, GroupRowChange } from "../accounts/membership/group-store.ts";
import { toNanoUsd, toUsd } from "../database/nano-usd.ts";
import type { AccountGroupRow } from "../database/tables/administration-tables.ts";
import { modelsOfGroup } from "./read-model-access.ts";

const storedOf = (usd: number | null) => usd && toNanoUsd(usd);
const usdOf = (stored: number | null) => stored && toUsd(stored);

/** @param isKnown whether the server has a model */
export function toAccountGroup(
  row: CountedGroup,
  isKnown: (value: string) => boolean,
): Omit<AccountGroup, "isOwnersOnly"> {
  const models = modelsOfGroup(row);
  const named = new Set([...(models ?? []), ...(row.default_model === null ? [] : [row.default_model])]);
  return {
    ...{ id: row.id, name: row.name, members: row.members, models },
    unknownModels: [...named].filter((value) => !isKnown(value)),
    ...{ defaultModel: row.default_model, quotaMb: row.quota_mb },
    ...{ budget: usdOf(row.budget), memberBudget: usdOf(row.member_budget) },
    ...{ timeZone: row.time_zone, needsSecondFactor: row.needs_second_factor === 1 },
    ...{ mayShare: row.may_share === 1, createdAt: row.created_at },
  };
}

/** Returns the columns of the fields that a request names. */
export function toColumns(request: GroupChange): GroupRowChange {
  const { name, models, defaultModel, quotaMb, budget, memberBudget, timeZone, needsSecondFactor, mayShare } = request;
  return {
    ...(name !== undefined && { name, name_key: groupNameKeyOf(name) }),
    ...(models !== undefined && { models: models && JSON.stringify([...new Set(models)]) }),
    ...(defaultModel !== undefined && { default_model: defaultModel }),
    ...(quotaMb !== undefined && { quota_mb: quotaMb }),
    ...(budget !== undefined && { budget: storedOf(budget) }),
    ...(memberBudget !== undefined && { member_budget: storedOf(memberBudget) }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(needsSecondFactor !== undefined && { needs_second_factor: needsSecondFactor ? 1 : 0 }),
    ...(mayShare !== undefined && { may_share: mayShare ? 1 : 0 }),
  };
}

/** Returns a group as its records hold it: without its name, budgets in US dollars, models in one line. */
export function valuesOf(row: AccountGroupRow): Record<string, string | number | null> {
  return {
    models: modelsOfGroup(row)?.join(", ") ?? null,
    ...{ defaultModel: row.default_model, quotaMb: row.quota_mb },
    ...{ budget: usdOf(row.budget), memberBudget: usdOf(row.member_budget), timeZone: row.time_zone },
    needsSecondFactor: row.needs_second_factor === 1 ? "on" : "off",
    mayShare: row.may_share === 1 ? "on" : "off",
  };
}
