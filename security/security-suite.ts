import type { Random } from "../testing/app/random.ts";
import type { Report } from "./report.ts";
import type { Site, SiteOptions } from "./site.ts";

/** Servers, options and report that each part of the suite receives. */
export interface Harness {
  /** What `npm test` runs: fewer inputs, no measured times. */
  readonly isShort: boolean;
  readonly seed: string;
  /** How long to fuzz. */
  readonly fuzzSeconds: number;
  /** Draws for one part alone, the same with the same seed. */
  readonly random: Random;
  readonly report: Report;
  /** Whether a PostgreSQL answers here. */
  readonly hasPostgres: boolean;
  /** A server process of its own with everything around it; disposing ends it and removes its data. */
  startSite(options?: SiteOptions): Promise<Site>;
}

/** A chapter of the proof: fills the report's rows. Throws where the run itself is broken. */
export type Suite = { name: string; run(harness: Harness): Promise<void> };
