import type { Random } from "../testing/app/random.ts";
import type { Report } from "./report.ts";
import type { Site, SiteOptions } from "./site.ts";

/** Servers, options and report that each part of the suite receives. */
export interface Harness {
  /** Whether this is the short run of `npm test`: fewer inputs, no measured times. */
  readonly isShort: boolean;
  readonly seed: string;
  /** Duration of fuzzing in seconds. */
  readonly fuzzSeconds: number;
  /** Random generator of one suite, reproducible by the seed. */
  readonly random: Random;
  readonly report: Report;
  /** Whether PostgreSQL is available. */
  readonly hasPostgres: boolean;
  /** Starts a server process with its services; disposal ends it and removes its data. */
  startSite(options?: SiteOptions): Promise<Site>;
}

/** A suite that adds rows to the report. @throws if the run itself fails */
export type Suite = { name: string; run(harness: Harness): Promise<void> };
