import { DAY } from "#contract/limits.ts";

/** How long a session lasts, in ms: since the sign-in, and without use. */
export type SessionLife = Readonly<{ maxMs: number; idleMs: number }>;

/** Lifetimes by the present role of the account; those of administrators and owners are never longer. */
export type SessionLives = Readonly<{ others: SessionLife; administrators: SessionLife }>;

export const SESSION_DAYS_MAX = 365;

type SessionVariables = Partial<
  Record<
    "SESSION_MAX_DAYS" | "SESSION_IDLE_DAYS" | "ADMIN_SESSION_MAX_DAYS" | "ADMIN_SESSION_IDLE_DAYS",
    string | undefined
  >
>;

export function sessionLivesOf(values: SessionVariables): SessionLives {
  const others = {
    maxMs: Number(values.SESSION_MAX_DAYS ?? 30) * DAY,
    idleMs: Number(values.SESSION_IDLE_DAYS ?? 7) * DAY,
  };
  const shorter = (days: string | undefined, ms: number) => Math.min(ms, days === undefined ? ms : Number(days) * DAY);
  return {
    others,
    administrators: {
      maxMs: shorter(values.ADMIN_SESSION_MAX_DAYS, others.maxMs),
      idleMs: shorter(values.ADMIN_SESSION_IDLE_DAYS, others.idleMs),
    },
  };
}
