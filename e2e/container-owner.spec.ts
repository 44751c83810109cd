import { accountPaths } from "#contract/accounts/paths.ts";
import { missingOwner } from "../server/accounts/roles/missing-owner.ts";
import { mailedKey } from "../testing/accounts/filed-mails.ts";
import { newPerson } from "../testing/accounts/sign-up.ts";
import { expect, signIn, test } from "./fixtures.ts";
import { press, title } from "./settings-screen.ts";

// As in a container, which listens on all addresses.
test.use({ serverEnv: { HOST: "0.0.0.0" } });

test("P8 the first person of a container becomes its owner by the link that the console shows @every-screen", async ({
  page,
  parley: { app },
}) => {
  const person = newPerson();
  const registered = await app.call("POST", accountPaths.register, { body: person });
  expect(registered.status, await registered.text()).toBe(201);
  const key = await mailedKey(app, person.email);
  const verified = await app.call("POST", accountPaths.verify, { body: { key } });
  expect(((await verified.json()) as { user: { role?: string } }).user.role).toBeUndefined();

  const { config, database, secretKey } = app.context;
  const sentence = await missingOwner(config, database, secretKey);
  await page.goto(sentence?.match(/\/become-owner#key=[\w-]+/)?.[0] ?? "");
  await signIn(page, person.username, person.password);
  await press(page, "Become an owner").click();
  await expect(title(page, "You are an owner")).toBeVisible();
  await page.getByRole("link", { name: "Open the administration" }).click();
  await expect(title(page, "Overview")).toBeVisible();
  expect(await missingOwner(config, database, secretKey)).toBeNull();
});
