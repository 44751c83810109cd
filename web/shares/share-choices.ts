/** The audiences and lives of links that rules allow. */

import { DAY } from "#contract/limits.ts";
import { type Share, type ShareAudience, type ShareRules, shareDays } from "#contract/shares/shares.ts";

/** Life of a link in days; null: without end. */
export type ShareLife = (typeof shareDays)[number] | null;

const USUAL_AUDIENCE: ShareAudience = "signed-in";
const USUAL_LIFE: ShareLife = 30;

/** Returns the lives that are not longer than the longest one allowed, the shortest first. */
export function allowedLives({ daysMax }: ShareRules): ShareLife[] {
  if (daysMax === null) return [...shareDays, null];
  return shareDays.filter((days) => days <= daysMax);
}

/** Returns the preferred value if it is among those allowed, else the usual one, else the last. */
function allowed<Value>(values: readonly Value[], preferred: Value | undefined, usual: Value): Value | undefined {
  const candidates = preferred === undefined ? [usual] : [preferred, usual];
  return candidates.find((value) => values.includes(value)) ?? values.at(-1);
}

/** Returns the preferred audience if the rules allow it, else the usual one or another. */
export const allowedAudience = ({ audiences }: ShareRules, preferred?: ShareAudience): ShareAudience =>
  allowed(audiences, preferred, USUAL_AUDIENCE) ?? USUAL_AUDIENCE;

/** Returns the preferred life if the rules allow it, else the usual one or the longest. */
export function allowedLife(rules: ShareRules, preferred?: ShareLife): ShareLife {
  const life = allowed(allowedLives(rules), preferred, USUAL_LIFE);
  return life === undefined ? USUAL_LIFE : life;
}

/** Returns the life with which a link was made, or the closest one. */
export function lifeOf({ createdAt, expiresAt }: Share): ShareLife {
  if (expiresAt === null) return null;
  const lived = (expiresAt - createdAt) / DAY;
  return [...shareDays].sort((a, b) => Math.abs(a - lived) - Math.abs(b - lived))[0] ?? USUAL_LIFE;
}
