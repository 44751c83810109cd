import * as z from "zod/mini";
import { accountRoles } from "#contract/accounts/roles.ts";

/** Maps a value that a provider states of a person, such as a group; `*` is everybody. */
export type MappingRule = { value: string; target: string };

const ARROW = "->";

/**
 * Reads rules such as `staff -> Teachers; cn=pupils,ou=groups,dc=example -> Pupils; * -> Guests`, in their order.
 * @returns undefined if one lacks its value or its target
 */
export function readMappingRules(text: string): MappingRule[] | undefined {
  const rules: MappingRule[] = [];
  for (const rule of text.split(";")) {
    if (rule.trim() === "") continue;
    const at = rule.lastIndexOf(ARROW);
    const [value, target] = [rule.slice(0, Math.max(0, at)).trim(), rule.slice(at + ARROW.length).trim()];
    if (at === -1 || value === "" || target === "") return undefined;
    rules.push({ value, target });
  }
  return rules;
}

/** A list of rules whose targets are names of groups. */
export const groupRules = z.string().check(
  z.refine((text) => readMappingRules(text) !== undefined, {
    error: "must be rules such as staff -> Teachers; * -> Guests",
  }),
);

const givenRoles: readonly string[] = accountRoles.filter((role) => role !== "owner");

/** A list of rules whose targets are roles: nobody becomes an owner by a rule. */
export const roleRules = z.string().check(
  z.refine((text) => readMappingRules(text)?.every(({ target }) => givenRoles.includes(target)) ?? false, {
    error: `must be rules such as admins -> administrator; * -> person, with the roles ${givenRoles.join(", ")}`,
  }),
);
