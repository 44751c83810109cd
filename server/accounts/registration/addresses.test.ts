import { afterAll, beforeAll, expect, it } from "vitest";
import { paths } from "#contract/paths.ts";
import { type MailServer, startMailServer } from "../../../testing/mail-server.ts";
import { newPerson } from "../../../testing/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/start-test-app.ts";

let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: { SMTP_URL: server.url } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const register = (email: unknown) => app.call("POST", paths.register, { body: { ...newPerson(), email } });
const long = (count: number) => "a".repeat(count);

/** As typed, and as stored and written to. */
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
  ["ada@a-b.example"],
  [`${long(64)}@example.org`],
  [`ada@${long(63)}.example`],
  [`ada@${[long(63), long(63), long(63), long(50)].join(".")}.org`],
] as const;

const refused = [
  // No address, or not one.
  "",
  " ",
  "ada",
  "@",
  "@example.org",
  "ada@",
  "ada@@example.org",
  "ada@example@org",
  "ada@example.org@evil.example",
  "ada@example.org,eve@example.org",
  "ada@example.org;eve@example.org",
  "ada@example.org eve@example.org",
  "ada@example.org\neve@example.org",
  "eve@example.org,",
  // Names and comments around it.
  "Ada <ada@example.org>",
  "<ada@example.org>",
  "ada@example.org>",
  "<eve@example.org>ada@example.org",
  '"Ada" ada@example.org',
  "(ada)ada@example.org",
  "ada(comment)@example.org",
  "ada@(comment)example.org",
  "ada@example.org(comment)",
  "mailto:ada@example.org",
  "ada:group;@example.org",
  "@relay.example:ada@example.org",
  "@relay.example,@other.example:ada@example.org",
  // Quotes and escapes.
  '"ada"@example.org',
  '"ada lovelace"@example.org',
  '"ada@home"@example.org',
  'ad"a@example.org',
  "ada\\@example.org",
  "ada\\ lovelace@example.org",
  // Dots where none may be.
  ".ada@example.org",
  "ada.@example.org",
  "ada..lovelace@example.org",
  "ada@.example.org",
  "ada@example..org",
  "ada@example.org.",
  "ada@example",
  "ada@localhost",
  "ada@org",
  // Hosts that are none.
  "ada@-example.org",
  "ada@example-.org",
  "ada@exa_mple.org",
  "ada@exam ple.org",
  "ada@example.o",
  "ada@example.123",
  "ada@127.0.0.1",
  "ada@[127.0.0.1]",
  "ada@[IPv6:::1]",
  "ada@::1",
  "ada@example.org:25",
  "ada@example.org/path",
  "ada@example.org?subject=x",
  "ada@example.org#x",
  "ada@%65xample.org",
  "ada%40example.org",
  "ada!eve@example.org",
  "ada%eve@example.org",
  "|cat@example.org",
  "$(id)@example.org",
  "`id`@example.org",
  "ada&eve@example.org",
  // White space and control characters.
  " ada@example.org",
  "ada@example.org ",
  "ada @example.org",
  "ada@ example.org",
  "ada\t@example.org",
  "ada@example.org\t",
  "ada@example.org\r",
  "ada@example.org\n",
  "ada@example.org\r\n",
  "ada@example.org\r\nBcc: eve@example.org",
  "ada@example.org\nBcc: eve@example.org",
  "ada@example.org\rBcc: eve@example.org",
  "ada@example.org%0d%0aBcc: eve@example.org",
  "ada\r\n@example.org",
  "ada@example.org\0",
  "ada\0@example.org",
  "ada@example.org\0@evil.example",
  "ada\u0001@example.org",
  "ada\u007F@example.org",
  "ada\u0085@example.org",
  "ada\u00A0@example.org",
  "ada\u00AD@example.org",
  "ada\u200B@example.org",
  "ada@exam\u200Dple.org",
  "\uFEFFada@example.org",
  "ada@example.org\u2028",
  "\u202Eada@example.org",
  "ada@example.org\uD800",
  // What looks like something else, or becomes it.
  "ada＠example.org",
  "ada﹫example.org",
  "ada@example．org",
  "ada@example。org",
  "ada@ｅxample.org",
  "аda@example.org",
  "ada@exаmple.org",
  "ada@example.оrg",
  "ádа@example.org",
  "ada@bücher.example",
  "ada@ﬀ.example",
  "ada@℀.example",
  "İda@example.org",
  "😀@example.org",
  // Longer than mail servers take.
  `${long(65)}@example.org`,
  `ada@${long(64)}.example`,
  `${long(250)}@example.org`,
  `ada@${[long(63), long(63), long(63), long(60)].join(".")}.org`,
  `${long(100_000)}@example.org`,
  // No texts.
  null,
  1,
  true,
  [],
  ["ada@example.org"],
  ["ada@example.org", "eve@example.org"],
  { address: "ada@example.org" },
];

it("D9 refuses whatever is not one plain address, and mails nobody", async () => {
  const statuses = await Promise.all(refused.map(async (email) => [(await register(email)).status, email]));
  expect(statuses.filter(([status]) => status !== 400)).toEqual([]);
  await app.context.outbox.deliverDue();
  expect(server.mails).toEqual([]);
});

it("D9 mails to the stored address alone, once", async () => {
  const written = taken.map(([typed, stored = typed]) => ({ typed, stored }));
  for (const { typed } of written) expect([typed, (await register(typed)).status]).toEqual([typed, 201]);
  await app.context.outbox.deliverDue();
  const addresses = written.map(({ stored }) => stored).sort();
  expect(server.mails.map(({ recipients }) => recipients).sort()).toEqual(addresses.map((address) => [address]));
  for (const { headers, recipients } of server.mails) expect(headers.get("to")).toBe(recipients[0]);
  const rows = await app.context.database.selectFrom("users").select("email").execute();
  expect(rows.map(({ email }) => email).sort()).toEqual(addresses);
});
