import { setTimeout as delay } from "node:timers/promises";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newPerson, signIn } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const FLOOD = 500;
const SHORT_FLOOD = 120;
const RSS_GROWTH_MB = 300;
const HEALTH_P95_MS = 1000;
const REFUSED_WITHIN_MS = 50;
/** Time between two samples of /healthz and of the memory. */
const SAMPLE_MS = 50;

/**
 * Time and memory limits of A1 and A6. The rules for passwords are tested in `server/accounts/sign-in/sign-in.test.ts`,
 * `password-policy.test.ts` and `settings/settings.test.ts`.
 */
export const passwords: Suite = {
  name: "passwords",
  async run(harness) {
    await using site = await harness.startSite();
    await tryLongest(harness, site);
    await tryFlood(harness, site);
  },
};

async function tryLongest({ report, isShort }: Harness, site: Site): Promise<void> {
  await report.try("A1", "passwords of more than 1,024 bytes are refused before they are hashed", async (trial) => {
    for (const password of ["a".repeat(1025), "a".repeat(900_000)]) {
      for (const path of [accountPaths.login, accountPaths.resetPassword, accountPaths.register]) {
        const body = { ...newPerson(), key: "a", password };
        const { status, ms } = await site.send({ method: "POST", path: API_BASE + path, body });
        const isQuick = isShort || ms < REFUSED_WITHIN_MS;
        trial.expect(
          status === 400 && isQuick,
          () => `${path} with ${password.length}: ${status}, ${Math.round(ms)} ms`,
        );
      }
    }
  });
}

async function tryFlood({ report, isShort }: Harness, site: Site): Promise<void> {
  const times = isShort ? SHORT_FLOOD : FLOOD;
  await report.try("A6", `${times} sign-ins at once beside /healthz`, async (trial) => {
    const { pid } = site.server;
    const before = site.server.rssMb();
    let peak = before;
    const health: number[] = [];
    const names = Array.from({ length: times }, (_, index) => `nobody${index}`);
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        health.push((await site.send({ path: "/healthz" })).ms);
        peak = Math.max(peak, site.server.rssMb());
        await delay(SAMPLE_MS);
      }
    })();
    const signingIn = inBatches(
      names,
      async (username) => {
        const { status, headers } = await signIn(site, { username, password: "a wrong password" });
        const isRefused = status === 503 && Number(headers["retry-after"]) > 0;
        trial.expect(status === 401 || isRefused, () => `${status}`);
      },
      times,
    ).finally(() => {
      isOver = true;
    });
    await Promise.all([watching, signingIn]);
    health.sort((a, b) => a - b);
    const p95 = health[Math.floor(health.length * 0.95)] ?? 0;
    trial.note(`/healthz p95 ${Math.round(p95)} ms, memory +${Math.round(peak - before)} MB`);
    trial.expect(isShort || p95 < HEALTH_P95_MS, "/healthz is slow");
    trial.expect(!(peak - before > RSS_GROWTH_MB), "memory grows");
    trial.expect(site.server.pid === pid, "the process is the same");
  });
}
