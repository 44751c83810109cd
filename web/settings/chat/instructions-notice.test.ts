import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { openStoredSession } from "../../conversation/stored-session.ts";
import { onPresetsChanged } from "../../presets/presets-changes.ts";
import { type FakeCall, fakeApi } from "../../testing/fakes/fake-api.ts";
import { heldBody } from "../../testing/fakes/fake-tabs.ts";
import { clearNotifications, currentNotifications } from "../../ui/notifications/notify.ts";
import { presetsApi } from "./presets-api.ts";

afterEach(async () => {
  await signOut();
  clearNotifications();
  vi.unstubAllGlobals();
});

const notifications = () => currentNotifications().map(({ id }) => id);

/** Opens the session of an account with an open event connection. `changes`: number of received changes. */
const follow = (account: string) => {
  const events = heldBody();
  fakeApi({
    "GET /events": events.response,
    "GET /presets": { json: [] },
    "GET /chat-history?limit=50": { json: [] },
    "PUT /instructions": ({ body }: FakeCall) => {
      const { instructions } = body as { instructions: string };
      // The event of a change may arrive before the response; that of the text "Unreported" never arrives.
      if (instructions !== "Unreported") events.say({ at: 2, instructions });
      return new Response(null, { status: 204 });
    },
  });
  let changes = 0;
  onTestFinished(onPresetsChanged(() => changes++));
  openStoredSession(account);
  events.say({ at: 1, isReset: false });
  return { say: events.say, hasChanged: (times: number) => vi.waitFor(() => expect(changes).toBe(times)) };
};

const send = (instructions: string) => presetsApi.changeInstructions(instructions, new AbortController().signal);

test("L3 a remote change of instructions replaces the last notification of one; an own change shows none", async () => {
  const { say, hasChanged } = follow("ada");
  await send("Mine");
  await hasChanged(1);
  expect(notifications()).toEqual([]);
  say({ at: 3, instructions: "Tell" });
  await hasChanged(2);
  expect(currentNotifications()[0]?.text).toContain("changed in another tab or on another device");
  const former = notifications();
  say({ at: 4, instructions: "Tell Eve" });
  await hasChanged(3);
  expect(notifications()).toHaveLength(1);
  expect(notifications()).not.toEqual(former);
});

test("a remote change back to instructions that this page has sent shows a notification", async () => {
  const { say, hasChanged } = follow("ada");
  await send("Mine");
  await hasChanged(1);
  say({ at: 3, instructions: "Theirs" });
  await hasChanged(2);
  clearNotifications();
  say({ at: 4, instructions: "Mine" });
  await hasChanged(3);
  expect(notifications()).toHaveLength(1);
});

test("a repeated event of the own instructions shows no notification", async () => {
  const { say, hasChanged } = follow("ada");
  await send("Mine");
  say({ at: 3, instructions: "Mine" });
  await hasChanged(2);
  expect(notifications()).toEqual([]);
});

test("instructions that were sent before a sign-out hide no change of the next account", async () => {
  follow("ada");
  await send("Unreported");
  await signOut();
  const next = follow("eve");
  next.say({ at: 2, instructions: "Unreported" });
  await next.hasChanged(1);
  expect(notifications()).toHaveLength(1);
});
