import type { FastifyRequest } from "fastify";
import { ANTI_FORGERY_HEADER } from "#contract/paths.ts";
import { isLoopbackHost, isLoopbackUrl } from "../config/loopback.ts";

/** Headers of proxies and of content delivery networks that do not begin with `x-`. */
const proxyHeader = /^(forwarded|via|true-client-ip|(cf|cdn|fastly)-.*)$/;

/** Returns whether a program of this machine sent the request to this machine's name, without a proxy. */
export function isLocal({ raw, headers }: Pick<FastifyRequest, "raw" | "headers">): boolean {
  const { remoteAddress = "" } = raw.socket;
  // nginx forwards as HTTP/1.0 and adds no header, unless it is configured otherwise. Clients use HTTP/1.1.
  if (!isLoopbackHost(remoteAddress) || raw.httpVersion !== "1.1") return false;
  const url = `http://${headers.host ?? ""}`;
  return URL.canParse(url) && isLoopbackUrl(url) && !Object.keys(headers).some(isOfProxy);
}

/** Clients send no header that begins with `x-` but ours. */
const isOfProxy = (name: string) => proxyHeader.test(name) || (name.startsWith("x-") && name !== ANTI_FORGERY_HEADER);
