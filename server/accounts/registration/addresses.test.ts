import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { badAddresses, noAddresses } from "../../../testing/accounts/bad-addresses.ts";
import { newPerson } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { startMailServer } from "../../../testing/servers/mail-server.ts";

const server = disposeAfterAll(await startMailServer());
const app = disposeAfterAll(await startTestApp({ env: { SMTP_URL: server.url } }));

const register = (email: unknown) => app.call("POST", accountPaths.register, { body: { ...newPerson(), email } });
const long = (count: number) => "a".repeat(count);

/** An address as typed, and as it is stored and used for mails. */
const taken = [
  ["ada@example.org"],
  ["Ada.Lovelace@example.org"],
  ["ADA@EXAMPLE.COM", "ADA@example.com"],
  ["ada+chat@example.org"],
  ["ada_l@example.org"],
  ["ada-l@example.org"],
  ["a@example.org"],
  ["1815@example.org"],
  ["o'hara@example.org"],
  ["ada@sub.domain.example.org"],
  ["ada@example.museum"],
  ["ada@1and1.example"],
  ["a@b.co"],
  ["ada.king@example.org"],
  ["ada+parley@example.org"],
  ["ada_king@example.org"],
  ["ada-king@example-host.org"],
  ["ADA@EXAMPLE.ORG", "ADA@example.org"],
  ["1234567890@example.org"],
  ["ada@sub.sub.example.museum"],
  ["ada@a-b.example"],
  [`${long(64)}@example.org`],
  [`ada@${long(63)}.example`],
  [`ada@${[long(63), long(63), long(63), long(50)].join(".")}.org`],
] as const;

it("D9 registration refuses everything except one plain address, and sends no mail", async () => {
  const refused = [...badAddresses, ...noAddresses];
  const statuses = await Promise.all(refused.map(async (email) => [(await register(email)).status, email]));
  expect(statuses.filter(([status]) => status !== 400)).toEqual([]);
  for (const path of [accountPaths.resendVerification, accountPaths.forgotPassword]) {
    // Sequentially: concurrent requests exhaust the connections to PostgreSQL, which answers 503.
    for (const email of refused) {
      const { status } = await app.call("POST", path, { body: { email } });
      expect(status < 500, `${path} ${JSON.stringify(email)} answered ${status}`).toBe(true);
    }
  }
  await app.context.outbox.deliverDue();
  expect(server.mails).toEqual([]);
});

it("D9 registration mails only the stored address, once", async () => {
  const written = taken.map(([typed, stored = typed]) => ({ typed, stored }));
  for (const { typed } of written) expect([typed, (await register(typed)).status]).toEqual([typed, 201]);
  await app.context.outbox.deliverDue();
  const addresses = written.map(({ stored }) => stored).sort();
  expect(server.mails.map(({ recipients }) => recipients).sort()).toEqual(addresses.map((address) => [address]));
  for (const { headers, recipients } of server.mails) expect(headers.get("to")).toBe(recipients[0]);
  const rows = await app.context.database.selectFrom("users").select("email").execute();
  expect(rows.map(({ email }) => email).sort()).toEqual(addresses);
});

it.each(["Ada\r\nBcc: eve@attacker.example", "Ada\nX: y", "<b>Ada</b>", "Ada, Eve", "=?utf-8?q?x?=", "Ada\0"])(
  "D9 registration refuses %j as a name",
  async (firstname) => {
    expect((await app.call("POST", accountPaths.register, { body: { ...newPerson(), firstname } })).status).toBe(400);
  },
);
