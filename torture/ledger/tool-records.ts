import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import type { ServerProcess } from "../../testing/servers/server-process.ts";

/**
 * Decisions on one call by people, of which several may be sent at once. Times are of `performance.now()`.
 * `answers`: of each tab. `onState`: of the call as the tabs showed it. `settledAt`: of the last answer or lost connection.
 */
export type Decision = {
  item: string;
  answers: readonly DecisionAnswer[];
  onState: "proposed" | "unknown";
  sentAt: number;
  settledAt: number;
};

/** A time in which a process could not complete calls: it was killed or frozen, or its connections were cut. */
export type Outage = { server: string; from: number; to: number };

/** The calls that a client has seen as unknown, with the time. */
export type UnknownSighting = { item: string; at: number };

/** Returns kills and freezes of servers. */
export function outagesOf(servers: readonly ServerProcess[], freezes: readonly Outage[]): Outage[] {
  const kills = servers.flatMap(({ deaths }) =>
    deaths.map(({ server, at, readyAgainAt }) => ({ server, from: at, to: readyAgainAt ?? Number.POSITIVE_INFINITY })),
  );
  return [...kills, ...freezes].sort((a, b) => a.from - b.from);
}

/** Returns the item of a call, which is unique in a run. */
export function itemOf(part: ToolPart): string {
  return String((JSON.parse(part.arguments) as { item?: unknown }).item);
}
