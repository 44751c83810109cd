import process from "node:process";
import { findPostgres, findRedis } from "../../scripts/test/services.ts";
import type { Report } from "../report.ts";
import type { ArrangementName } from "./arrangement.ts";

/** What answers on this machine. */
export type Services = { has(arrangement: ArrangementName): boolean; redisUrl: string | undefined };

/** Absent services are told; with `CI` set they are violations. */
export async function findServices(report: Report): Promise<Services> {
  const [postgresUrl, redisUrl] = await Promise.all([findPostgres(), findRedis()]);
  const tell = (service: string, variable: string) => {
    const words = `${service} does not answer (${variable} names it)`;
    if (process.env.CI) report.violate(`${words}: it is required here`);
    else report.skip(`${words}: what needs it is skipped`);
  };
  if (postgresUrl === undefined) tell("PostgreSQL", "TEST_DATABASE_URL");
  if (redisUrl === undefined) tell("Redis", "TEST_REDIS_URL");
  return {
    redisUrl,
    has: (arrangement) =>
      (arrangement === "sqlite" || postgresUrl !== undefined) &&
      (arrangement !== "two-processes" || redisUrl !== undefined),
  };
}
