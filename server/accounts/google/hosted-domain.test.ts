import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { GOOGLE_CLIENT_ID, startKeyServer } from "../../../testing/servers/key-server.ts";

const google = disposeAfterAll(await startKeyServer());

const organisations = [undefined, "", "example.org", "EXAMPLE.org", "example.org.evil.example", "sub.example.org", "*"];

it.each([
  ["example.org", ["example.org", "EXAMPLE.org"]],
  ["Example.Org", ["example.org", "EXAMPLE.org"]],
  ["*", ["example.org", "EXAMPLE.org", "example.org.evil.example", "sub.example.org", "*"]],
])("F7 GOOGLE_HOSTED_DOMAIN=%s admits only its members", async (domain, members) => {
  const clock = new TestClock();
  const env = { GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: google.url, GOOGLE_HOSTED_DOMAIN: domain };
  await using app = await startTestApp({ clock, env });
  for (const [at, hd] of organisations.entries()) {
    const claims = { sub: `member${at}`, email: `member${at}@example.org`, ...(hd !== undefined && { hd }) };
    const id_token = await google.issueIdToken(claims, clock.now());
    const response = await app.call("POST", accountPaths.google, { body: { id_token } });
    const isMember = hd !== undefined && members.includes(hd);
    expect(`${hd} ${response.status}`).toBe(`${hd} ${isMember ? 200 : 403}`);
    if (!isMember) expect(problemSchema.parse(await response.json())).toMatchObject({ code: "google-domain" });
  }
});
