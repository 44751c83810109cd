import process from "node:process";

const isCi = (process.env.CI ?? "") !== "";

/** The Redis that serves the tests; where CI demands it, its absence is a failure, else none. */
export const testRedisUrl = process.env.TEST_REDIS_URL ?? (isCi ? "redis://127.0.0.1:6379" : undefined);

export const REDIS_PORT = 6379;
