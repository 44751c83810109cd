import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { notificationSetting } from "../../chats/waiting/notification-setting.ts";
import { ada } from "../../testing/fakes/fake-api.ts";
import { fakeNotifications } from "../../testing/fakes/fake-notifications.ts";
import { FakeBrowser } from "../../testing/fakes/fake-tabs.ts";
import { eachTestAlone, openSettings } from "../../testing/open-settings.tsx";

const browser = vi.hoisted(() => ({ hasTabTools: true }));
vi.mock("../../api/events/tab-tools.ts", () => ({
  tabTools: () => (browser.hasTabTools ? new FakeBrowser().tools() : null),
}));

eachTestAlone();
afterEach(() => void vi.restoreAllMocks());

const LABEL = "Notify me when an answer waits for my decision";
const DENIED = /^This browser blocks notifications/;
const open = async () => {
  await openSettings("appearance");
  await screen.findByRole("radio", { name: "System" });
};
const control = () => screen.getByRole<HTMLInputElement>("switch", { name: LABEL });
const press = () => act(async () => void fireEvent.click(control()));

test("the switch of notifications is off at first, and asks the browser when it is switched on", async () => {
  const { state } = fakeNotifications("default");
  await open();
  expect([control().checked, state.requests]).toEqual([false, 0]);
  await press();
  expect([control().checked, state.requests, notificationSetting.isOn(ada.id)]).toEqual([true, 1, true]);
  await press();
  expect([control().checked, notificationSetting.isOn(ada.id)]).toEqual([false, false]);
});

test("notifications of one account are not those of another account of the browser", async () => {
  fakeNotifications();
  notificationSetting.set("somebody", true);
  await open();
  expect(control().checked).toBe(false);
});

test("the switch stays off and says how to allow notifications when the person denies them", async () => {
  const { state } = fakeNotifications("default");
  state.answer = "denied";
  await open();
  expect(screen.queryByText(DENIED)).toBeNull();
  await press();
  expect([control().checked, notificationSetting.isOn(ada.id)]).toEqual([false, false]);
  expect(screen.getByText(DENIED).getAttribute("role")).toBe("status");
});

test("the switch stays off when the person closes the browser's question without an answer", async () => {
  const { state } = fakeNotifications("default");
  state.answer = "default";
  await open();
  await press();
  expect([control().checked, notificationSetting.isOn(ada.id)]).toEqual([false, false]);
  expect(screen.queryByText(DENIED)).toBeNull();
});

test("the switch follows a permission that is changed in the browser", async () => {
  const { state } = fakeNotifications();
  notificationSetting.set(ada.id, true);
  const status = new EventTarget();
  vi.spyOn(navigator.permissions, "query").mockResolvedValue(status as PermissionStatus);
  await open();
  expect(control().checked).toBe(true);
  state.permission = "denied";
  act(() => void status.dispatchEvent(new Event("change")));
  await waitFor(() => expect(control().checked).toBe(false));
  expect(screen.getByText(DENIED)).toBeTruthy();
});

test("a browser without notifications or without locks of tabs shows no switch of them", async () => {
  await open();
  expect(screen.queryByRole("switch", { name: LABEL })).toBeNull();
  cleanup();
  fakeNotifications();
  browser.hasTabTools = false;
  await open();
  expect(screen.queryByRole("switch", { name: LABEL })).toBeNull();
  browser.hasTabTools = true;
});
