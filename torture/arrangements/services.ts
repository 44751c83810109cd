import process from "node:process";
import { findNginx } from "../../scripts/find-nginx.ts";
import { findPostgres, findRedis } from "../../scripts/test/services.ts";
import type { Report } from "../report.ts";
import type { ArrangementName } from "./arrangement.ts";

/** Services that are available on this machine. */
export type Services = {
  has(arrangement: ArrangementName): boolean;
  redisUrl: string | undefined;
  nginx: string | undefined;
};

/** Finds the services. Missing ones are reported; with `CI` set they are violations. */
export async function findServices(report: Report): Promise<Services> {
  const [postgresUrl, redisUrl] = await Promise.all([findPostgres(), findRedis()]);
  const nginx = findNginx();
  const warnAbsent = (service: string, variable: string) => {
    const words = `${service} is unavailable (${variable} names it)`;
    if (process.env.CI) report.violate(`${words}: it is required here`);
    else report.skip(`${words}: tests that need it are skipped`);
  };
  if (postgresUrl === undefined) warnAbsent("PostgreSQL", "TEST_DATABASE_URL");
  if (redisUrl === undefined) warnAbsent("Redis", "TEST_REDIS_URL");
  if (nginx === undefined) warnAbsent("nginx", "NGINX_PATH");
  return {
    redisUrl,
    nginx,
    has: (arrangement) =>
      (arrangement === "sqlite" || postgresUrl !== undefined) &&
      ((arrangement !== "two-processes" && arrangement !== "behind-nginx") || redisUrl !== undefined) &&
      (arrangement !== "behind-nginx" || nginx !== undefined),
  };
}
