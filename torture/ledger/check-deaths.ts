import type { Death } from "../../testing/servers/server-process.ts";
import { busyness } from "../busyness.ts";
import type { ProviderCall } from "../provider/provider-call.ts";
import type { Guarantee, Report } from "../report.ts";
import type { Turn } from "./turn.ts";

const lostByKill: Guarantee = { claim: "text lost by a kill", allowed: 250, unit: "ms" };
const lostByDeploy: Guarantee = { claim: "text lost by a SIGTERM", allowed: 0, unit: "characters" };

/** Delay until the closed connections of a killed process are noticed here. */
const NOTICE_MS = 300;
const CERTAINLY_APART_MS = 60_000;
/** Time from the provider's last word until the end of the reply is stored. */
const STORED_WITHIN_MS = 500;

/** Measures for each provider call that a kill has cut off how much text a reader had received that was not stored. */
export function checkLosses(
  report: Report,
  turn: Turn,
  calls: readonly ProviderCall[],
  deaths: readonly Death[],
  storedLength: number,
): void {
  for (const [index, call] of calls.entries()) {
    const death = deaths.find((one) => wasCutOffBy(call, one, turn));
    if (!death) continue;
    const next = calls[index + 1];
    const resumedFrom = next?.from ?? storedLength;
    const until = Math.min(
      (call.closedAt ?? Number.POSITIVE_INFINITY) + NOTICE_MS,
      next?.startedAt ?? Number.POSITIVE_INFINITY,
    );
    const seen = turn.readers
      .flatMap(({ sightings }) => sightings)
      .filter(({ at, length }) => at >= call.startedAt && at < until && length > resumedFrom);
    const at = `(question ${turn.question.number}, ${resumedFrom} stored)`;
    if (death.signal === "SIGTERM") {
      report.measure(lostByDeploy, Math.max(0, ...seen.map(({ length }) => length - resumedFrom)), at);
    } else {
      const firstSeenAt = Math.min(death.at, ...seen.map((sighting) => sighting.at));
      report.measure(lostByKill, death.at - firstSeenAt, at, death.at);
    }
  }
}

/** Whether a kill has cut off a call, including complete and stopped calls whose end may not be stored. */
export function wasCutOffBy(call: ProviderCall, { at, goneAt }: Death, turn?: Pick<Turn, "stopAskedAt">): boolean {
  const { closedAt } = call;
  if (closedAt === undefined || Math.abs(closedAt - at) > CERTAINLY_APART_MS) return false;
  const lastAt = (goneAt ?? at) + NOTICE_MS;
  const { lateMs } = busyness.between(at - STORED_WITHIN_MS, lastAt + NOTICE_MS);
  const hasEnded = call.isWhole || closedAt >= (turn?.stopAskedAt ?? Number.POSITIVE_INFINITY);
  const firstAt = hasEnded ? at - STORED_WITHIN_MS - lateMs : at - 1;
  return closedAt >= firstAt && closedAt <= lastAt + lateMs;
}
