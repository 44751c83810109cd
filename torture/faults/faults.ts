import type { ArrangementName } from "../arrangements/arrangement.ts";
import type { Fault } from "../harness.ts";
import { clockJumps } from "./clock-jumps.ts";
import { cuts } from "./cuts.ts";
import { duplicates } from "./duplicates.ts";
import { fullDisk } from "./full-disk.ts";
import { fullDiskUploads } from "./full-disk-uploads.ts";
import { kills } from "./kills.ts";
import { providerTroubles } from "./provider-troubles.ts";
import { reasoningKills } from "./reasoning-kills.ts";
import { restarts } from "./restarts.ts";
import { databaseAway, redisAway } from "./service-away.ts";
import { stalledReaders } from "./stalled-readers.ts";
import { stops } from "./stops.ts";
import { suspensions } from "./suspensions.ts";
import { toolServers, tools } from "./tools.ts";
import { upheavals } from "./upheavals.ts";
import { uploadKills } from "./upload-kills.ts";

type Entry = {
  run: Fault;
  /** Arrangements that the fault applies to; all by default. */
  arrangements?: readonly ArrangementName[];
  /** Arrangements of a short run; none by default. */
  short?: readonly ArrangementName[];
  /** Does not affect the servers, so that it can be injected together with others. */
  isGentle?: boolean;
};

const withDatabase = ["postgres", "two-processes"] as const;
/** Faults whose outcome nginx could change. `upheavals` sends duplicates within the rate limit. */
const withNginx = new Set<string>(["cuts", "stops", "kills", "restarts", "redis-away", "upheavals", "tools"]);

/** Faults by name, in the order of their injection. */
export const faults = {
  cuts: { run: cuts, isGentle: true, short: ["sqlite", "two-processes"] },
  duplicates: { run: duplicates, isGentle: true, short: ["sqlite", "two-processes"] },
  stops: { run: stops, isGentle: true, short: ["sqlite", "two-processes"] },
  "provider-troubles": { run: providerTroubles, isGentle: true, short: ["sqlite"] },
  "stalled-readers": { run: stalledReaders, short: ["sqlite"] },
  kills: { run: kills, short: ["sqlite", "postgres", "two-processes"] },
  "reasoning-kills": { run: reasoningKills, short: ["sqlite"] },
  tools: { run: tools, arrangements: ["sqlite", "behind-nginx"], short: ["sqlite"] },
  "mcp-2025-11-25": { run: toolServers("2025-11-25"), arrangements: ["sqlite", "two-processes"] },
  "mcp-2026-07-28": {
    run: toolServers("2026-07-28"),
    arrangements: ["sqlite", "postgres", "two-processes"],
    short: ["sqlite"],
  },
  "upload-kills": { run: uploadKills, short: ["sqlite", "postgres"] },
  restarts: { run: restarts, short: ["sqlite", "two-processes"] },
  suspensions: { run: suspensions, short: ["two-processes"] },
  "clock-jumps": { run: clockJumps, short: ["sqlite"] },
  "database-away": { run: databaseAway, arrangements: withDatabase, short: ["postgres"] },
  "redis-away": { run: redisAway, arrangements: ["two-processes", "behind-nginx"], short: ["two-processes"] },
  upheavals: { run: upheavals, arrangements: ["behind-nginx"], short: ["behind-nginx"] },
  "full-disk": { run: fullDisk, arrangements: ["sqlite"], short: ["sqlite"] },
  "full-disk-uploads": { run: fullDiskUploads, arrangements: ["sqlite"], short: ["sqlite"] },
} satisfies Record<string, Entry>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** Whether a run injects a fault in an arrangement; a short run skips repetitions. */
export function fits(fault: FaultName, arrangement: ArrangementName, isShort: boolean): boolean {
  const { arrangements, short = [] }: Entry = faults[fault];
  if (isShort) return short.includes(arrangement);
  if (arrangement === "behind-nginx" && !withNginx.has(fault)) return false;
  return arrangements === undefined || arrangements.includes(arrangement);
}

export function isGentle(fault: FaultName): boolean {
  const { isGentle = false }: Entry = faults[fault];
  return isGentle;
}
