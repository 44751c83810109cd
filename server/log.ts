import type { FastifyBaseLogger } from "fastify";

/** Structured log. Callers pass no passwords, tokens, keys or message texts. */
export type Log = FastifyBaseLogger;
