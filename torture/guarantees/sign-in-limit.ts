import { accountPaths } from "#contract/accounts/paths.ts";
import { limits } from "../../server/limits/limits.ts";
import { callJson } from "../../testing/http/http-call.ts";
import type { Harness } from "../harness.ts";

const TRIES = 48;
let networks = 0;

/**
 * Many concurrent sign-ins from one network, each with another name: exactly the allowed number is evaluated over all
 * processes. An attempt whose response was lost in a kill may have been counted.
 */
export async function tryToSignIn({ arrangement, report, random }: Harness): Promise<void> {
  const network = ++networks;
  const from = `127.99.${network >> 8}.${network & 0xff}`;
  const statuses = await Promise.all(
    Array.from({ length: TRIES }, async () => {
      const body = { username: `nobody-${random.between(0, 1e9)}`, password: "not a password of anybody" };
      const call = { method: "POST", path: accountPaths.login, body, from };
      return callJson(arrangement.url, call).then(
        ({ status }) => status,
        () => 0,
      );
    }),
  );
  const count = (...wanted: number[]) => statuses.filter((status) => wanted.includes(status)).length;
  const { times } = limits["failed-accounts"];
  report.count("simultaneous sign-ins from one network", TRIES);
  report.check(
    "no more sign-ins of a network are checked than allowed",
    count(401) <= times && count(401) + count(0, 503) >= times,
    `allowed ${times}, answers were ${statuses}`,
  );
  report.check("a sign-in is refused, accepted, or to be retried", count(0, 401, 429, 503) === TRIES, `${statuses}`);
}
