import { expect, test } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { newPerson } from "../../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";

test("P3 only one of the people who verify their addresses at once on a new server becomes its owner", async () => {
  for (let round = 0; round < 4; round++) {
    await using app = await startTestApp({ env: { RATE_LIMITS: "off" } });
    const people = [newPerson(), newPerson(), newPerson()];
    for (const body of people) expect((await app.call("POST", accountPaths.register, { body })).status).toBe(201);
    const keys: string[] = [];
    for (const { email } of people) keys.push(await mailedKey(app, email));
    const answers = await Promise.all(keys.map((key) => app.call("POST", accountPaths.verify, { body: { key } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await app.context.database.selectFrom("users").select("role").execute();
    expect(rows.map(({ role }) => role).toSorted()).toEqual(["owner", "person", "person"]);
  }
});
