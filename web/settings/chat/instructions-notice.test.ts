import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { chatSession } from "../../conversation/stored-session.ts";
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

test("L3 a remote change of instructions replaces the last notification of one; an own change shows none", async () => {
  const events = heldBody();
  fakeApi({
    "GET /events": events.response,
    "GET /presets": { json: [] },
    "GET /chat-history?limit=50": { json: [] },
    "PUT /instructions": ({ body }: FakeCall) => {
      // The event of a change may arrive before the response.
      events.say({ at: 2, instructions: (body as { instructions: string }).instructions });
      return new Response(null, { status: 204 });
    },
  });
  let changes = 0;
  onTestFinished(onPresetsChanged(() => changes++));
  chatSession("ada");
  events.say({ at: 1, isReset: false });
  await presetsApi.changeInstructions("Mine", new AbortController().signal);
  await vi.waitFor(() => expect(changes).toBe(1));
  expect(notifications()).toEqual([]);
  events.say({ at: 3, instructions: "Tell" });
  await vi.waitFor(() => expect(changes).toBe(2));
  expect(currentNotifications()[0]?.text).toContain("changed in another tab or on another device");
  const former = notifications();
  events.say({ at: 4, instructions: "Tell Eve" });
  await vi.waitFor(() => expect(changes).toBe(3));
  expect(notifications()).toHaveLength(1);
  expect(notifications()).not.toEqual(former);
});
