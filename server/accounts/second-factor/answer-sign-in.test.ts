import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";

const app = disposeAfterAll(await startTestApp());

it("a completed sign-in is answered with exactly the fields of the specification", async () => {
  const { user, password } = await signUp(app);
  const response = await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
  expect(Object.keys(Object(await response.json()))).toEqual(["access_token", "user", "emailVerified"]);
});
