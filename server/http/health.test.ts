import { expect, it } from "vitest";
import { startTestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { CHECK_HEADER, newCheck, proofOf } from "./health.ts";

const SECRET_KEY = "one-secret-of-the-installation-0123456789";

it("the liveness check tells what it sees of a request only to a program that has the secret", async () => {
  const clock = new TestClock();
  await using app = await startTestApp({ clock, env: { SECRET_KEY } });
  const ask = async (check: string) => {
    const headers = { [CHECK_HEADER]: check, "x-forwarded-for": "192.0.2.77" };
    return (await fetch(`${app.url}/healthz`, { headers })).json();
  };
  const check = newCheck(SECRET_KEY, clock.now());
  expect(await ask(check)).toEqual({
    status: "alive",
    seen: { proof: proofOf(SECRET_KEY, check), ip: "127.0.0.1", peer: "127.0.0.1", forwardedFor: "192.0.2.77" },
  });
  const refused = ["", "a.b.c", newCheck("other-secret", clock.now()), newCheck(SECRET_KEY, clock.now() + 86_400_000)];
  for (const each of [...refused, check.replace(/^\d+/, "9999999999999")]) {
    expect(await ask(each)).toEqual({ status: "alive" });
  }
  clock.advance(86_400_000);
  expect(await ask(check)).toEqual({ status: "alive" });
});
