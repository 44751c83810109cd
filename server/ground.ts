import type { FastifyBaseLogger } from "fastify";

/** Where the time comes from; ms since 1970. */
export type Clock = { now(): number };

/** Structured lines; never given passwords, tokens, keys or message texts. */
export type Log = FastifyBaseLogger;
