import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditListSchema } from "#contract/administration/administration.ts";
import type { NewSiteNotice } from "#contract/administration/new-site-notice.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { SITE_NOTICE_PATH, siteNoticeAnswerSchema } from "#contract/administration/site-notice.ts";
import { MINUTE } from "#contract/limits.ts";
import { TIME_MAX } from "#contract/times.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

const clock = new TestClock();
let app: TestApp;
let administrator: TestAccount;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock });
  administrator = await signUpAs(app, "administrator");
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const put = (body: NewSiteNotice, { token } = administrator) =>
  app.call("PUT", administrationPaths.changedNotice, { token, body });
const shown = async () =>
  siteNoticeAnswerSchema.parse(await (await app.call("GET", SITE_NOTICE_PATH, { token: ada.token })).json()).notice;

describe("site notice", () => {
  it("an administrator sets the site notice, every account sees it, and each change gives a new id", async () => {
    expect(await shown()).toBeNull();
    expect((await put({ text: " Back at nine.\nPlease wait. " })).status).toBe(200);
    const first = await shown();
    expect(first).toEqual({ text: "Back at nine.\nPlease wait.", id: expect.any(String) });
    await put({ text: "Back at nine.\nPlease wait." });
    expect(await shown()).toEqual(first);
    await put({ text: "Back at ten." });
    expect((await shown())?.id).not.toBe(first?.id);
    expect((await app.call("DELETE", administrationPaths.changedNotice, { token: administrator.token })).status).toBe(
      204,
    );
    expect((await app.call("DELETE", administrationPaths.changedNotice, { token: administrator.token })).status).toBe(
      204,
    );
    expect(await shown()).toBeNull();
  });

  it("the site notice ends at its time", async () => {
    const until = clock.now() + MINUTE;
    await put({ text: "For a minute", until });
    expect(await shown()).toMatchObject({ text: "For a minute", until });
    clock.advance(MINUTE);
    expect(await shown()).toBeNull();
  });

  it("a site notice whose end is later than any date is refused, and the one before stays", async () => {
    await put({ text: "Stays" });
    const refused = await put({ text: "Never ends", until: TIME_MAX + 1 });
    expect(await problemOf(refused)).toMatchObject({ code: "invalid-input" });
    expect(refused.status).toBe(400);
    expect(await shown()).toMatchObject({ text: "Stays" });
    expect((await put({ text: "Ends last", until: TIME_MAX })).status).toBe(200);
  });

  it("a stored end that no browser can format is shown to nobody", async () => {
    const value = JSON.stringify({ id: "stored-before", text: "Old", until: TIME_MAX + 1 });
    await app.context.database.updateTable("settings").set({ value }).where("name", "=", "notice").execute();
    await app.context.installation.reload();
    expect(await shown()).toBeNull();
  });

  it("the site notice is recorded with its texts", async () => {
    const { token } = administrator;
    await app.call("DELETE", administrationPaths.changedNotice, { token });
    await put({ text: "Recorded", until: clock.now() + 5 });
    const answer = await app.call("GET", `${administrationPaths.audit}?kind=notice-changed`, { token });
    const [entry] = auditListSchema.parse(await answer.json()).entries;
    expect(entry).toMatchObject({
      actor: { id: administrator.user.id },
      subject: null,
      before: { isShown: false, text: null, until: null },
      after: { isShown: true, text: "Recorded", until: clock.now() + 5 },
    });
  });

  it.each([
    [{ text: " " }, "text", "required"],
    [{ text: "x".repeat(501) }, "text", "max"],
    [{ text: "Over", until: 1 }, "until", "invalid"],
  ])("the site notice %j is refused", async (body, field, rule) => {
    const answer = await put(body);
    expect([answer.status, (await problemOf(answer)).issues]).toMatchObject([400, [{ field, rule }]]);
  });

  it("an account without a role cannot set the site notice", async () => {
    expect((await problemOf(await put({ text: "Send me money" }, ada))).code).toBe("not-permitted");
  });
});
