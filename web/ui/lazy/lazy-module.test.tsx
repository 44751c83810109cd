import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type ReactNode, Suspense, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeNotification, currentNotifications } from "../notifications/notify.ts";
import { lazyComponent } from "./lazy-component.tsx";
import {
  type LazyModule,
  lazyModule,
  loadMissingModules,
  preloadAfterChat,
  preloadWithChat,
  useLazyModule,
} from "./lazy-module.ts";

type Part = { Words: () => ReactNode };

const module: Part = { Words: () => <p>the part</p> };
const warn = vi.spyOn(console, "warn");

beforeEach(() => warn.mockReset().mockImplementation(() => {}));
afterEach(() => {
  cleanup();
  for (const { id } of currentNotifications()) closeNotification(id);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lazy module whose import fails until `allow` is called. */
function held() {
  const fetchPart = vi.fn(async (): Promise<Part> => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const allow = () => fetchPart.mockImplementation(async () => module);
  return { part: lazyModule(fetchPart), fetchPart, allow };
}

function Unasked({ part }: { part: LazyModule<Part> }) {
  const here = useLazyModule(part);
  return here ? <here.Words /> : <p>without it</p>;
}

function Replaced({ part, onClick }: { part: LazyModule<Part>; onClick: () => void }) {
  const here = useLazyModule(part);
  return here ? <here.Words /> : <button type="button" {...{ onClick }} />;
}

function Asked({ part }: { part: LazyModule<Part> }) {
  const [isOpen, setOpen] = useState(false);
  const here = useLazyModule(part, isOpen, () => setOpen(false));
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Open
      </button>
      {here && <here.Words />}
    </>
  );
}

const settle = () => act(async () => {});
const notifications = () => currentNotifications().map(({ text }) => text);

test("a failed module leaves the screen unchanged, and reaches all components once a load succeeds", async () => {
  const { part, fetchPart, allow } = held();
  render(
    <>
      <Unasked part={part} />
      <Unasked part={part} />
    </>,
  );
  await settle();
  expect(screen.getAllByText("without it")).toHaveLength(2);
  expect([fetchPart.mock.calls.length, warn.mock.calls.length, notifications()]).toEqual([1, 1, []]);
  allow();
  await act(() => part.load());
  expect(screen.getAllByText("the part")).toHaveLength(2);
});

test("a failed module is retried when the server may be reachable again, until it is loaded", async () => {
  const { part, fetchPart, allow } = held();
  render(<Unasked part={part} />);
  await settle();
  expect(part.isMissing()).toBe(true);
  await act(async () => loadMissingModules());
  expect([fetchPart.mock.calls.length, part.isMissing()]).toEqual([2, true]);
  allow();
  await act(async () => loadMissingModules());
  expect(screen.getByText("the part")).toBeTruthy();
  expect(part.isMissing()).toBe(false);
  await act(async () => loadMissingModules());
  expect(fetchPart).toHaveBeenCalledTimes(3);
});

test("a lazy component shows its replacement after a failure, until the module is loaded", async () => {
  const { part, allow } = held();
  const Words = lazyComponent(
    lazyModule(async () => ({ default: (await part.load()).Words })),
    () => <p>plain words</p>,
  );
  render(
    <Suspense fallback="waiting">
      <Words />
    </Suspense>,
  );
  expect(await screen.findByText("plain words")).toBeTruthy();
  allow();
  await act(async () => loadMissingModules());
  expect(await screen.findByText("the part")).toBeTruthy();
});

test("a failed press shows one notification, and another press tries again", async () => {
  const { part, allow } = held();
  render(<Asked part={part} />);
  const button = screen.getByRole("button");
  for (let presses = 0; presses < 2; presses++) {
    fireEvent.click(button);
    await settle();
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(notifications()).toEqual([
      expect.stringMatching(/^This could not be loaded\. Please check your connection/),
    ]);
  }
  allow();
  fireEvent.click(button);
  expect(await screen.findByText("the part")).toBeTruthy();
  fireEvent.click(button);
  expect(screen.queryByText("the part")).toBeNull();
});

test("a loaded module is rendered at once", async () => {
  const { part, allow } = held();
  allow();
  await part.load();
  render(<Unasked part={part} />);
  expect(screen.getByText("the part")).toBeTruthy();
});

test("a requested module that fails shows a notification; a preload shows none", async () => {
  const { part, allow } = held();
  await expect(part.load()).rejects.toThrow("dynamically");
  expect([notifications(), warn.mock.calls.length]).toEqual([[], 0]);
  expect(await part.ask()).toBeUndefined();
  expect(notifications()).toHaveLength(1);
  allow();
  expect(await part.ask()).toBe(module);
});

test("a module that arrives during a press is rendered after it, so that the click reaches its button", async () => {
  const { part, allow } = held();
  allow();
  const onClick = vi.fn();
  render(<Replaced {...{ part, onClick }} />);
  const button = screen.getByRole("button");
  fireEvent.pointerDown(button);
  await settle();
  expect(button.isConnected).toBe(true);
  fireEvent.pointerUp(button);
  fireEvent.click(button);
  expect(onClick).toHaveBeenCalledOnce();
  expect(await screen.findByText("the part")).toBeTruthy();
});

test("a failed module logs nothing while the browser is offline", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  const { part } = held();
  await part.ask();
  expect([notifications().length, warn.mock.calls.length]).toEqual([1, 0]);
});

test("modules are preloaded at their moment, one after the other behind the chat, and a failed or slow one stops none", async () => {
  vi.useFakeTimers();
  const fetchModule = vi.fn(() => new Promise<Part>(() => {}));
  const fetchMissing = vi.fn(async (): Promise<Part> => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const fetchLast = vi.fn(async () => module);
  const fetchUnwanted = vi.fn(async () => module);
  const fetchOther = vi.fn(async () => module);
  for (const fetchOne of [fetchModule, fetchMissing, fetchLast, fetchUnwanted]) lazyModule(fetchOne, "after-chat");
  lazyModule(fetchOther, "with-chat");
  const calls = () => [fetchModule, fetchMissing, fetchLast, fetchUnwanted].map(({ mock }) => mock.calls.length);
  const loading = preloadAfterChat(() => fetchLast.mock.calls.length === 0);
  expect(calls()).toEqual([0, 0, 0, 0]);
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersByTimeAsync(9000);
  expect(calls()).toEqual([1, 0, 0, 0]);
  await vi.advanceTimersByTimeAsync(10_000);
  await loading;
  expect(calls()).toEqual([1, 1, 1, 0]);
  expect(fetchOther).not.toHaveBeenCalled();
  preloadWithChat();
  expect(fetchOther).toHaveBeenCalledOnce();
  expect([notifications(), warn.mock.calls.length]).toEqual([[], 0]);
});
