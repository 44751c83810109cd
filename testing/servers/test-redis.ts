import process from "node:process";

const isCi = (process.env.CI ?? "") !== "";

/** URL of the Redis for tests; undefined if there is none, except in CI, where it is required. */
export const testRedisUrl = process.env.TEST_REDIS_URL ?? (isCi ? "redis://127.0.0.1:6379" : undefined);

export const REDIS_PORT = 6379;
