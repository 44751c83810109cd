import { expect, it } from "vitest";
import { passkeyListSchema } from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { addTestPasskey } from "../../../testing/accounts/passkeys.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";

const WARNING = "passkeys belong to another host than PUBLIC_URL and do not work here";
const warningsOf = ({ logLines }: TestApp) => logLines.filter((line) => line.includes(WARNING)).length;

async function hostsOf(app: TestApp, { token }: TestAccount): Promise<(string | undefined)[]> {
  const list = passkeyListSchema.parse(await (await app.call("GET", accountPaths.passkeys, { token })).json());
  return list.passkeys.map(({ otherHost }) => otherHost);
}

it("a start at another host warns of the passkeys of the old one, which their list names", async () => {
  await using harness = await createTestHarness(undefined, { isMigrated: true });
  const start = (host: string) => startTestApp({ harness, env: { PUBLIC_URL: `https://${host}` } });
  const account = await (async () => {
    await using app = await start("old.example.org");
    const owner = await signUpProved(app);
    await addTestPasskey(app, owner);
    expect(warningsOf(app)).toBe(0);
    return owner;
  })();
  {
    await using app = await start("old.example.org");
    expect([warningsOf(app), await hostsOf(app, account)]).toEqual([0, [undefined]]);
  }
  await using app = await start("new.example.org");
  expect([warningsOf(app), await hostsOf(app, account)]).toEqual([1, ["old.example.org"]]);
});
