import fastify from "fastify";
import { expect, it } from "vitest";
import { signInAnswerSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { accountContextOf } from "../../../testing/accounts/account-context.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { validateByContract } from "../../http/validation.ts";
import { answerSignIn } from "./answer-sign-in.ts";

const app = disposeAfterAll(await startTestApp());

it("a completed sign-in is answered with exactly the fields of the specification", async () => {
  const { user, password } = await signUp(app);
  const response = await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
  expect(Object.keys(Object(await response.json()))).toEqual(["access_token", "user", "emailVerified"]);
});

it("a sign-in that needs a second factor is answered with its ticket and without a session", async () => {
  const demand = { secondFactor: "code", ticket: "t" };
  const accounts = accountContextOf(app);
  const server = fastify();
  validateByContract(server);
  server.post("/", { schema: { response: { 200: signInAnswerSchema } } }, async (request, reply) => {
    const answer = await answerSignIn(accounts, demand, request, reply);
    expect(request.identity).toBeUndefined();
    return answer;
  });
  const response = await server.inject({ method: "POST", url: "/" });
  expect([response.statusCode, response.json()]).toEqual([200, demand]);
});
