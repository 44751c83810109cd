import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { APPEND_BODY_MAX } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { IMPORT_BODY_MAX } from "#contract/transfer/transfer.ts";
import type { OutgoingRequest } from "../../testing/http/send.ts";
import { sendRaw, statusesIn } from "../../testing/http/send-raw.ts";
import { newToken, signUp } from "../clients/person.ts";
import { answeringRoutes, describedRoutes, filled } from "../routes/api-routes.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const MB = 1024 * 1024;
/** Routes with a body limit above a megabyte, in bytes. */
const LARGER = new Map<string, number>([
  [`POST ${API_BASE}${transferPaths.import}`, IMPORT_BODY_MAX],
  [`POST ${API_BASE}${conversationPaths.chatMessage("{id}")}`, APPEND_BODY_MAX],
]);
const SLOW_SOCKETS = 1000;
const SHORT_SLOW_SOCKETS = 50;
const HEALTH_MS = 1000;
const ATTEMPTS = 20;
/** Each slow connection sends a byte in this time, while the health is checked this many times. */
const DRIP_MS = 1000;
const HEALTH_CHECKS = 10;

/** G6: requests that are too large, too slow or invalid. Methods and unknown paths are tested in `server/http/`. */
export const connections: Suite = {
  name: "connections",
  async run(harness) {
    await using site = await harness.startSite();
    await tryMethods(harness, site);
    await trySizes(harness, site);
    await trySlowness(harness, site);
  },
};

async function tryMethods({ report }: Harness, site: Site): Promise<void> {
  await report.try("G6", "unknown methods and malformed requests", async (trial) => {
    const requests = [
      ...["FOO", "get", "TRACK", "PROPPATCHX", "G\u00cbT", ""].map(
        (method) => `${method} /api/auth/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      ),
      "GET /api/auth/me HTTP/9.9\r\nHost: a\r\n\r\n",
      "GET /api/auth/me HTTP/1.1\r\n\r\n",
      "GET /api/auth/me HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
      "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "GET /api/auth/me HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n",
      "GET /api/auth/me HTTP/1.1\r\nHost: a\r\nA: b\0c\r\n\r\n",
      "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
      "\r\n\r\n\r\n",
    ];
    for (const request of requests) {
      const [status = 0] = statusesIn(await sendRaw(site.url, Buffer.from(request, "latin1"), { answerMs: 1000 }));
      trial.expect(
        status === 0 || (status >= 400 && status < 500),
        () => `${JSON.stringify(request.slice(0, 60))}: ${status}`,
      );
    }
  });
}

/** Returns the status of a large request. The server responds and closes early, so a response may be lost. */
async function statusOfLarge(site: Site, sending: OutgoingRequest): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await site.send({ ...sending, isAlone: true })).status;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function trySizes({ report }: Harness, site: Site): Promise<void> {
  const token = await newToken(site, await signUp(site));
  const routes = answeringRoutes(await describedRoutes(site)).filter(({ body }) => body);
  await report.try("G6", "bodies larger than their route accepts, sent in full or only announced", async (trial) => {
    for (const { method, path } of routes) {
      const to = filled(path, "x");
      const size = LARGER.get(`${method} ${path}`) ?? MB;
      const body = `{"message":"${"a".repeat(size)}"}`;
      const status = await statusOfLarge(site, { method, path: to, token, body });
      trial.expect(status === 413, () => `${method} ${path}: ${status}`);
      const head = `${method} ${to} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
      const [refusal] = statusesIn(await sendRaw(site.url, `${head}Content-Length: ${1e12}\r\n\r\n`));
      trial.expect(refusal === 413, () => `${method} ${path} with a terabyte announced: ${refusal}`);
    }
  });
  await report.try("G6", "headers and addresses of more than 32 kB", async (trial) => {
    for (const size of [33_000, 70_000]) {
      const long = "a".repeat(size);
      for (const request of [
        `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${long}\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\n${"X-A: b\r\n".repeat(size / 8)}\r\n`,
        `GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"a=b; ".repeat(size / 5)}\r\n\r\n`,
      ]) {
        const [status] = statusesIn(await sendRaw(site.url, request));
        trial.expect(status === 431, () => `${request.slice(0, 60)} (${size}): ${status}`);
      }
    }
  });
}

async function trySlowness({ report, isShort }: Harness, site: Site): Promise<void> {
  const sockets = isShort ? SHORT_SLOW_SOCKETS : SLOW_SOCKETS;
  await report.try("G6", `${sockets} connections that never end their request`, async (trial) => {
    const { hostname, port } = new URL(site.url);
    const starts = [
      "GET / HTTP/1.1\r\nHost: a\r\nX-A: ",
      "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
      "",
    ];
    const open: Socket[] = [];
    for (let index = 0; index < sockets; index++) {
      const socket = connect(Number(port), hostname).on("error", () => undefined);
      socket.write(starts[index % starts.length] ?? "");
      open.push(socket);
    }
    const drip = setInterval(() => {
      for (const socket of open) if (socket.writable) socket.write("a");
    }, DRIP_MS);
    try {
      for (let times = 0; times < HEALTH_CHECKS; times++) {
        const { status, ms } = await site.send({ path: "/healthz" });
        trial.expect(
          status === 200 && (isShort || ms < HEALTH_MS),
          () => `/healthz: ${status} after ${Math.round(ms)} ms`,
        );
        await delay(DRIP_MS / HEALTH_CHECKS);
      }
      trial.count(sockets);
    } finally {
      clearInterval(drip);
      for (const socket of open) socket.destroy();
    }
  });
}
