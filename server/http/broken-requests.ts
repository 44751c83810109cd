import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ErrorCode } from "#contract/errors.ts";
import { problemMediaType } from "#contract/problem.ts";
import { Failure } from "../failure.ts";
import { problemOf, sendProblem } from "./problems.ts";
import { type HeaderSettings, headersWithoutHooks } from "./security-headers.ts";

const reasons: Record<number, string> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};
const codes: Record<number, ErrorCode> = { 431: "too-large" };

/** Returns handlers for requests that never reach the hooks: URLs that the router cannot decode, and invalid HTTP. */
export function answerBrokenRequests(settings: HeaderSettings) {
  const headers = headersWithoutHooks(settings);
  return {
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => {
      sendProblem(reply.headers(headers), new Failure("invalid-input"));
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      // The client has disconnected, or the socket is closed already.
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      if (socket.writable) socket.write(rawProblem(statusOf(error), headers));
      socket.destroy(error);
    },
  };
}

/**
 * Refuses request targets other than a path. The router would route the absolute form `GET http://elsewhere/api` by
 * its path, but checks and logs see the whole target. Clients use that form only for proxies (RFC 9112, 3.2.2).
 */
export function refuseOtherTargets(app: FastifyInstance): void {
  app.addHook("onRequest", async (request) => {
    if (!request.url.startsWith("/")) throw new Failure("invalid-input");
  });
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}

function rawProblem(status: number, headers: Record<string, string>): string {
  const body = JSON.stringify(problemOf(new Failure(codes[status] ?? "invalid-input")));
  const all = {
    ...headers,
    "content-type": `${problemMediaType}; charset=utf-8`,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasons[status]}\r\n${lines.join("")}\r\n${body}`;
}
