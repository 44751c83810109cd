import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { SecondFactor } from "#contract/accounts/second-factor.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import {
  details,
  done,
  eachTestAlone,
  field,
  noteOf,
  openSettings,
  press,
  type,
} from "../../testing/open-settings.tsx";

eachTestAlone();

const codes = Array.from({ length: 10 }, (_, index) => `code-${index}`);
const enrolment = {
  secret: "ABCDEFGHIJKLMNOP",
  uri: "otpauth://totp/Salon:ada?secret=ABCDEFGHIJKLMNOP",
  enrolment: "e1",
};
const factor: SecondFactor = {
  createdAt: Date.UTC(2026, 0, 2, 12),
  lastUsedAt: null,
  recoveryCodesLeft: 10,
  rememberedBrowsers: 0,
  endsAt: null,
};
/** The server's answers before and after a change; null: off. */
const withFactor = (...states: readonly (Partial<SecondFactor> | null)[]) => ({
  "GET /auth/account": states.map((changes) => ({
    json: { ...details, secondFactor: changes && { ...factor, ...changes } },
  })),
});
const beginSetUp = "POST /auth/second-factor/enrolment";
const confirmSetUp = "POST /auth/second-factor";
const renewCodes = "POST /auth/second-factor/recovery-codes";
const removal = "POST /auth/second-factor/removal";
const WRONG = "That code is not right, or was used already.";

const shownSection = () => screen.findByRole("region", { name: "Second factor" });
const section = () => screen.getByRole("region", { name: "Second factor" });
const heading = () => within(section()).getByRole("heading", { level: 2 });
const saveCodes = async () => {
  const box = await screen.findByLabelText<HTMLInputElement>("I have saved these codes");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Done" }).disabled).toBe(true);
  box.click();
  await press("Done");
};

describe("setting up the second factor", () => {
  test("the second factor is set up with a code of the app, and its recovery codes are shown once", async () => {
    const sent = await openSettings("security", {
      ...withFactor(null, {}),
      [beginSetUp]: { json: enrolment },
      [confirmSetUp]: [problem(403, "wrong-code"), { json: { recoveryCodes: codes } }],
    });
    expect(await screen.findByText("Off")).toBeTruthy();
    await press("Set up");
    expect(await screen.findByRole("img", { name: "QR code for the authenticator app" })).toBeTruthy();
    expect(screen.getByRole("group", { name: "Key" }).textContent).toBe("ABCD EFGH IJKL MNOP");
    expect(document.activeElement).toBe(field("Code of the app"));
    expect([field("Code of the app").inputMode, field("Code of the app").autocomplete]).toEqual([
      "numeric",
      "one-time-code",
    ]);
    type("Code of the app", "111111");
    await press("Switch on");
    await waitFor(() => expect(noteOf("Code of the app")).toBe(WRONG));
    type("Code of the app", "222222");
    await press("Switch on");
    expect(await screen.findByRole("heading", { name: "Your recovery codes" })).toBe(document.activeElement);
    expect(
      within(section())
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(codes);
    await saveCodes();
    expect(await screen.findByText("The second factor is on.")).toBeTruthy();
    expect(document.activeElement).toBe(heading());
    expect(screen.queryByText("code-0")).toBeNull();
    expect(within(section()).getByText("10 codes left.")).toBeTruthy();
    expect(sent()).toEqual([
      ["POST /auth/second-factor/enrolment", undefined],
      ["POST /auth/second-factor", { enrolment: "e1", code: "111111" }],
      ["POST /auth/second-factor", { enrolment: "e1", code: "222222" }],
    ]);
  });

  test("a factor that the account must have has no button to switch it off, and says why", async () => {
    const account = { ...details, needsSecondFactor: true };
    await openSettings("security", { "GET /auth/account": { json: { ...account, secondFactor: factor } } });
    await shownSection();
    expect(section().textContent).toContain("Your account must have one.");
    expect(within(section()).queryByRole("button", { name: "Switch off" })).toBeNull();
    expect(within(section()).getByRole("button", { name: "New recovery codes" })).toBeTruthy();
  });

  test("an account that must have a factor and has none reads that the next sign-in asks for it", async () => {
    await openSettings("security", { "GET /auth/account": { json: { ...details, needsSecondFactor: true } } });
    await shownSection();
    expect(section().textContent).toContain("Your account must have one: set it up before your next sign-in");
  });

  test("an expired set-up begins again with a new QR code", async () => {
    const sent = await openSettings("security", {
      [beginSetUp]: [{ json: enrolment }, { json: { ...enrolment, secret: "QRSTUVWX", enrolment: "e2" } }],
      [confirmSetUp]: [problem(400, "enrolment-expired"), { json: { recoveryCodes: codes } }],
    });
    await press("Set up");
    await screen.findByLabelText("Code of the app");
    type("Code of the app", "111111");
    await press("Switch on");
    expect((await screen.findByRole("alert")).textContent).toContain("Please begin again with a new QR code.");
    await press("New QR code");
    await waitFor(() => expect(screen.getByRole("group", { name: "Key" }).textContent).toBe("QRST UVWX"));
    expect([screen.queryByRole("alert"), field("Code of the app").value]).toEqual([null, ""]);
    type("Code of the app", "222222");
    await press("Switch on");
    await screen.findByRole("heading", { name: "Your recovery codes" });
    expect(sent().at(-1)).toEqual(["POST /auth/second-factor", { enrolment: "e2", code: "222222" }]);
  });

  test("a cancelled set-up leaves the second factor off", async () => {
    const sent = await openSettings("security", { [beginSetUp]: { json: enrolment } });
    await press("Set up");
    await screen.findByLabelText("Code of the app");
    await press("Cancel");
    expect(within(section()).getByText("Off")).toBeTruthy();
    expect([document.activeElement, sent().length]).toEqual([heading(), 1]);
  });
});

describe("a second factor that is on", () => {
  test("new recovery codes need a code, are shown once, and have a confirmation of their own", async () => {
    const sent = await openSettings("security", {
      ...withFactor({ recoveryCodesLeft: 2 }, {}),
      [renewCodes]: { json: { recoveryCodes: codes } },
    });
    await press("New recovery codes");
    expect(screen.getByText("The codes that you have now will end.")).toBeTruthy();
    type("Code", "123456");
    await press("New recovery codes");
    await screen.findByRole("heading", { name: "Your recovery codes" });
    await saveCodes();
    expect(await screen.findByText("You have new recovery codes.")).toBeTruthy();
    expect(within(section()).getByText("10 codes left.")).toBeTruthy();
    expect(sent()).toEqual([["POST /auth/second-factor/recovery-codes", { code: "123456" }]]);
  });

  test("the second factor is switched off with a right code only", async () => {
    const sent = await openSettings("security", {
      ...withFactor({}, null),
      [removal]: [problem(403, "wrong-code"), done],
    });
    await press("Switch off");
    expect(screen.getByText(/^Your password alone will then suffice to sign in\./)).toBeTruthy();
    type("Code", "111111");
    await press("Switch off");
    await waitFor(() => expect(noteOf("Code")).toBe(WRONG));
    type("Code", "code-1");
    await press("Switch off");
    expect(await screen.findByText("The second factor is off.")).toBeTruthy();
    expect(within(section()).getByRole("button", { name: "Set up" })).toBeTruthy();
    expect(document.activeElement).toBe(heading());
    expect(sent().map(([, body]) => body)).toEqual([{ code: "111111" }, { code: "code-1" }]);
  });

  test.each([
    [4, "4 codes left.", "Your account is well protected."],
    [3, "3 codes left. Make new ones before you need the last.", "Make new recovery codes: you have few left."],
    [1, "1 code left. Make new ones before you need the last.", "Make new recovery codes: you have few left."],
    [0, "No codes left. Make new ones, before you lose your phone.", "Make new recovery codes: you have none left."],
  ])("the section and the advice name %i recovery codes that are left", async (recoveryCodesLeft, line, advice) => {
    await openSettings("security", withFactor({ recoveryCodesLeft }));
    expect((await shownSection()).textContent).toContain(line);
    expect(section().textContent?.includes("Make new ones")).toBe(recoveryCodesLeft < 4);
    expect(screen.getByRole("region", { name: "Ways to sign in" }).textContent).toContain(advice);
  });

  test("remembered browsers are counted, and are asked for a code again after a click", async () => {
    const sent = await openSettings("security", {
      ...withFactor({ rememberedBrowsers: 2 }, {}),
      "DELETE /auth/second-factor/remembered-browsers": done,
    });
    expect(await screen.findByText("2 browsers are not asked for a code.")).toBeTruthy();
    await press("Ask again everywhere");
    expect(await screen.findByText("Every browser is asked for a code again.")).toBeTruthy();
    expect(screen.queryByText("Remembered browsers")).toBeNull();
    expect(sent()).toEqual([["DELETE /auth/second-factor/remembered-browsers", undefined]]);
  });

  test("a second factor that was reported as lost shows its end, and can be kept", async () => {
    const sent = await openSettings("security", {
      ...withFactor({ endsAt: Date.UTC(2026, 5, 15, 12) }, {}),
      "DELETE /auth/second-factor/loss": [problem(500, "internal"), done],
    });
    expect(
      within(await shownSection()).getByText(
        /The second factor ends Jun 15, 2026, .*keep it and set a new password\.$/,
      ),
    ).toBeTruthy();
    const praise = "Your account is well protected.";
    expect(screen.queryByText(praise)).toBeNull();
    await press("Keep it");
    await within(section()).findByRole("alert");
    await press("Keep it");
    expect(await screen.findByText("The second factor stays.")).toBeTruthy();
    expect([screen.queryByText("It will end"), screen.queryByRole("alert")]).toEqual([null, null]);
    expect(screen.getByText(praise)).toBeTruthy();
    expect(document.activeElement).toBe(heading());
    expect(sent()).toHaveLength(2);
  });
});
