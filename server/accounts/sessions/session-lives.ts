import { type AccountRole, hasRole } from "#contract/accounts/roles.ts";
import type { SessionLives } from "../../config/accounts/session-lives.ts";

/** Returns how long sessions of a role last. */
export const lifeOf = (lives: SessionLives, role: AccountRole) =>
  hasRole(role, "administrator") ? lives.administrators : lives.others;
