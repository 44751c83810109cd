import type { FastifyRequest } from "fastify";
import { ANTI_FORGERY_HEADER } from "#contract/http.ts";
import { isLoopbackHost, isLoopbackUrl } from "../config/loopback.ts";

/** Headers of proxies and of content delivery networks that do not begin with `x-`. */
const proxyHeader = /^(forwarded|via|true-client-ip|(cf|cdn|fastly)-.*)$/;

type ReceivedRequest = Pick<FastifyRequest, "raw" | "headers">;

/** Returns whether a program of this machine sent the request to this machine's name, without a proxy. */
export function isLocal(request: ReceivedRequest): boolean {
  const { remoteAddress = "" } = request.raw.socket;
  if (!isLoopbackHost(remoteAddress) || showsProxy(request)) return false;
  const url = `http://${request.headers.host ?? ""}`;
  return URL.canParse(url) && isLoopbackUrl(url);
}

/** Returns whether a proxy has forwarded the request, as far as that can be seen. */
export function showsProxy({ raw, headers }: ReceivedRequest): boolean {
  // nginx forwards as HTTP/1.0 and adds no header, unless it is configured otherwise. Clients use HTTP/1.1.
  return raw.httpVersion !== "1.1" || Object.keys(headers).some(isOfProxy);
}

/** Clients send no header that begins with `x-` but ours. */
const isOfProxy = (name: string) => proxyHeader.test(name) || (name.startsWith("x-") && name !== ANTI_FORGERY_HEADER);
