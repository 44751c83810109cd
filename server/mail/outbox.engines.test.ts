import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { filedMails, keyIn } from "../../testing/accounts/filed-mails.ts";
import { newPerson, signUpByMail } from "../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  TestClock,
  type TestHarness,
} from "../../testing/app/start-test-app.ts";
import { allRows } from "../../testing/database/all-rows.ts";
import { type MailServer, startMailServer } from "../../testing/servers/mail-server.ts";
import { openContext } from "../process/context.ts";

const register = async (app: TestApp) => {
  const person = newPerson();
  expect((await app.call("POST", accountPaths.register, { body: person })).status).toBe(201);
  return person;
};
const verify = async (app: TestApp, text: string) =>
  (await app.call("POST", accountPaths.verify, { body: { key: keyIn(text) } })).status;

describe("delivery to a mail server", () => {
  let opened: AsyncDisposableStack;
  let server: MailServer;
  let clock: TestClock;
  let harness: TestHarness;
  let app: TestApp;
  let printed: string[];

  beforeEach(async () => {
    printed = [];
    opened = new AsyncDisposableStack();
    server = opened.use(await startMailServer());
    clock = new TestClock();
    harness = opened.use(await createTestHarness());
    const print = (line: string) => printed.push(line);
    app = opened.use(await startTestApp({ clock, harness, print, env: { SMTP_URL: server.url } }));
  });
  afterEach(() => opened.disposeAsync());

  const mails = () => app.context.database.selectFrom("mails").selectAll().execute();
  const deliver = () => app.context.outbox.deliverDue();

  it("a mail is sent at once to one recipient, as text and HTML, with a valid key", async () => {
    const { email } = await register(app);
    const mail = await server.waitForMail(email);
    expect(mail).toMatchObject({ recipients: [email], from: "no-reply@127.0.0.1" });
    expect(mail.headers.get("to")).toBe(email);
    expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
    expect(keyIn(mail.html.replaceAll("&amp;", "&"))).toBe(keyIn(mail.text));
    expect(await verify(app, mail.text)).toBe(200);
  });

  it("D5 a sent key is neither in the database nor in the log or on the console", async () => {
    const { email } = await register(app);
    // A key that is replaced before its mail is sent is never sent.
    const first = await server.waitForMail(email);
    await app.call("POST", accountPaths.resendVerification, { body: { email } });
    const sent = [first, await server.waitForMail(email)];
    const traces = [...(await allRows(app.context.database)), ...app.logLines, ...printed].join("");
    expect(traces).toContain(email);
    for (const { text } of sent) expect(traces).not.toContain(keyIn(text) ?? email);
    expect(printed).toEqual([]);
  });

  it("R10 mails wait while the mail server is away, and are delivered once it is back", async () => {
    await server.stop();
    const { email } = await register(app);
    await deliver();
    clock.advance(HOUR);
    await deliver();
    expect(await mails()).toMatchObject([{ sent_at: null, failed_at: null, attempts: 2 }]);
    await server.start();
    clock.advance(10 * MINUTE);
    await deliver();
    const mail = await server.waitForMail(email);
    clock.advance(DAY - SECOND);
    expect(await verify(app, mail.text)).toBe(200);
  });

  it("R10 the wait for the next attempt at a mail grows from 10 seconds to 10 minutes", async () => {
    server.state = { refuse: 451, at: "recipient" };
    await register(app);
    await deliver();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt++) {
      const [mail] = await mails();
      const wait = (mail?.next_attempt_at ?? 0) - clock.now();
      waits.push(wait / SECOND);
      clock.advance(wait - 1);
      const { connections } = server;
      await deliver();
      expect(server.connections).toBe(connections);
      clock.advance(1);
      await deliver();
      expect(server.connections).toBe(connections + 1);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
  });

  it("R10 R19 a mail is delivered although the clock was set back", async () => {
    await server.stop();
    const { email } = await register(app);
    await deliver();
    clock.advance(-HOUR);
    await server.start();
    await deliver();
    expect((await server.waitForMail(email)).subject).toContain("Verify");
  });

  it("R10 a mail fails after a day of attempts", async () => {
    await server.stop();
    await register(app);
    await deliver();
    clock.advance(DAY);
    await deliver();
    const [mail] = await mails();
    expect(mail?.failed_at).toBe(clock.now());
    await server.start();
    clock.advance(HOUR);
    await deliver();
    expect(server.mails).toEqual([]);
    expect(app.logLines.join("")).toContain("mail abandoned");
  });

  it.each([550, 530])(
    "R10 a mail is retried if our sender is refused with %i, which the administrator can fix",
    async (refuse) => {
      server.state = { refuse, at: "sender" };
      const { email } = await register(app);
      await deliver();
      expect(await mails()).toMatchObject([{ attempts: 1, failed_at: null }]);
      server.state = "accept";
      clock.advance(MINUTE);
      await deliver();
      await server.waitForMail(email);
    },
  );

  it.each(["recipient", "data"] as const)(
    "R10 a mail fails at a permanent refusal of the %s, which is logged without the address",
    async (at) => {
      server.state = { refuse: 550, at };
      const { email } = await register(app);
      await deliver();
      expect(await mails()).toMatchObject([{ attempts: 1, failed_at: clock.now() }]);
      const log = app.logLines.join("");
      expect(log).toContain('"smtpStatus":550');
      expect(log).not.toContain(email);
      server.state = "accept";
      clock.advance(HOUR);
      await deliver();
      expect(server.mails).toEqual([]);
    },
  );

  it("R10 a mail whose delivery was not confirmed is sent again with the same Message-ID", async () => {
    server.state = "die-after-data";
    const { email } = await register(app);
    const first = await server.waitForMail(email);
    await deliver();
    server.state = "accept";
    await server.start();
    clock.advance(MINUTE);
    await deliver();
    const second = await server.waitForMail(email);
    expect(second.messageId).toBe(first.messageId);
    expect(second.messageId).toMatch(/^<[\w-]+@127\.0\.0\.1>$/);
    expect(keyIn(second.text)).toBe(keyIn(first.text));
    expect(await verify(app, second.text)).toBe(200);
  });

  it("R10 no mail is lost when the server stops during an attempt", async () => {
    server.state = "hang";
    const { email } = await register(app);
    await app[Symbol.asyncDispose]();
    server.state = "accept";
    await using next = await startTestApp({ clock, harness, env: { SMTP_URL: server.url } });
    await next.context.outbox.deliverDue();
    expect(await verify(next, (await server.waitForMail(email)).text)).toBe(200);
  });

  it("a mail whose process died is retried, but not before its lease has expired", async () => {
    const { email } = await register(app);
    await server.waitForMail(email);
    await deliver();
    const { database } = app.context;
    const claimed = { sent_at: null, next_attempt_at: clock.now() + 5 * MINUTE };
    await database.updateTable("mails").set(claimed).execute();
    clock.advance(5 * MINUTE - 1);
    await deliver();
    expect(server.mails).toHaveLength(1);
    clock.advance(1);
    await deliver();
    expect(server.mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(server.mails[0]?.messageId));
  });

  it("each mail is sent once, however many processes deliver concurrently", async () => {
    await server.stop();
    const people = await Promise.all(Array.from({ length: 20 }, () => register(app)));
    await deliver();
    await server.start();
    const { config, log } = app.context;
    const secrets = { ...app.context.secrets, secretKey: app.context.secretKey };
    await using second = await openContext(config, secrets, { clock, log });
    clock.advance(MINUTE);
    await Promise.all([deliver(), second.outbox.deliverDue(), deliver(), second.outbox.deliverDue()]);
    expect(server.mails.flatMap(({ recipients }) => recipients).sort()).toEqual(
      people.map(({ email }) => email).sort(),
    );
  });

  it("rows of sent mails are removed, and of permanently refused ones after 7 days without their values", async () => {
    const { email } = await register(app);
    await server.waitForMail(email);
    await deliver();
    server.state = { refuse: 550, at: "data" };
    await register(app);
    await deliver();
    expect(await mails()).toHaveLength(2);
    await server.stop();
    const { email: waiting } = await register(app);
    await deliver();
    await app.context.sweep.run();
    expect(await mails()).toMatchObject([{ failed_at: clock.now(), params: "{}" }, { failed_at: null }]);
    await server.start();
    clock.advance(MINUTE);
    server.state = "accept";
    await deliver();
    await server.waitForMail(waiting);
    clock.advance(7 * DAY - MINUTE);
    await app.context.outbox.removeSettled();
    expect(await mails()).toHaveLength(1);
    clock.advance(1);
    await app.context.outbox.removeSettled();
    expect(await mails()).toHaveLength(0);
  });
});

describe("delivery without a mail server", () => {
  it("D5 a mail without a mail server is a file with mode 600, and its link is printed once", async () => {
    const printed: string[] = [];
    await using app = await startTestApp({ print: (line) => printed.push(line) });
    const { email, username } = await register(app);
    const [mail] = await filedMails(app);
    expect(mail?.to).toBe(email);
    expect(mail?.html).toContain(username);
    const link = `${app.context.config.publicUrl}/verify-email?key=${keyIn(mail?.text ?? "")}`;
    await app.context.outbox.deliverDue();
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain(email);
    expect(printed[0]).toContain(link);
    const folder = join(app.dataDir, "mails");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, `${mail?.id}.eml`))).mode & 0o777).toBe(0o600);
    expect(app.logLines.join("")).not.toContain(keyIn(mail?.text ?? ""));
  });

  it("H5 the file of a mail is removed after 30 days, even if its account exists", async () => {
    const clock = new TestClock();
    await using app = await startTestApp({ clock });
    const left = async () => {
      await app.context.sweep.run();
      return (await filedMails(app)).map(({ to }) => to);
    };
    const { user: early } = await signUpByMail(app);
    clock.advance(DAY);
    const { user: late } = await signUpByMail(app);
    clock.advance(29 * DAY);
    expect((await left()).sort()).toEqual([early.email, late.email].sort());
    clock.advance(1);
    expect(await left()).toEqual([late.email]);
  });
});

it("mails escape HTML in the product's name", async () => {
  await using app = await startTestApp({ env: { PRODUCT_NAME: "<b>Tom & Jerry</b>", MAIL_FROM: "chat@example.org" } });
  await register(app);
  const [mail] = await filedMails(app);
  expect(mail?.html).toContain("&lt;b&gt;Tom &amp; Jerry&lt;/b&gt;");
  expect(mail?.subject).toContain("<b>Tom & Jerry</b>");
});
