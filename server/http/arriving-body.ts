import type { FastifyRequest } from "fastify";
import type { ArrivingBody } from "../concurrency/body-slots.ts";

/** Returns the body of a request that is received as a stream. */
export const arrivingBody = ({ raw }: FastifyRequest): ArrivingBody => ({
  get bytesRead() {
    return raw.socket.bytesRead;
  },
  get isComplete() {
    return raw.complete || raw.destroyed;
  },
  close: () => raw.destroy(),
});
