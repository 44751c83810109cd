import { request } from "node:http";
import { API_BASE } from "#contract/paths.ts";
import type { Site } from "../site.ts";

/** For the head of a request to be read. */
const HEAD_MS = 300;

export type Held = { method: string; path: string; body: object; token: string };

/** Sends a request's head and the first byte of its body; the rest goes out at `finish`, which gives its status. */
export function holdBack(site: Site, { method, path, body, token }: Held) {
  const bytes = JSON.stringify(body);
  const answered = Promise.withResolvers<number>();
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": String(bytes.length),
  };
  const late = request(`${site.url}${API_BASE}${path}`, { method, headers, agent: false }, (answer) => {
    answer.resume();
    answered.resolve(answer.statusCode ?? 0);
  });
  late.once("error", answered.reject);
  late.write(bytes.slice(0, 1));
  return {
    /** Its session was looked up. */
    isUnderWay: new Promise((resolve) => setTimeout(resolve, HEAD_MS)),
    finish: () => {
      late.end(bytes.slice(1));
      return answered.promise;
    },
  };
}
