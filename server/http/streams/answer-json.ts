import type { FastifyReply } from "fastify";
import { textStream } from "./text-stream.ts";

/** Sends pieces of JSON as a stream; other answers are serialised by the route's schema. */
export function answerJson<T extends object>(reply: FastifyReply, answer: T | AsyncGenerator<string>): T {
  if (!(Symbol.asyncIterator in answer)) return answer;
  reply.header("content-type", "application/json; charset=utf-8");
  // A stream bypasses the schema, which would need the whole answer in memory.
  return textStream(answer) as unknown as T;
}
