import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import "../../locales/i18n.ts";
import { currentNotifications, notify, runLatestAction } from "./notify.ts";
import { notifyCounted } from "./notify-counted.ts";
import { Toaster } from "./toaster.tsx";

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const texts = () => [...screen.getByRole("region").children].map(({ textContent }) => textContent?.replace("Undo", ""));
const show = (...args: Parameters<typeof notify>) => act(() => void notify(...args));

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => {
  act(() => {
    for (const button of screen.queryAllByRole("button")) fireEvent.click(button);
  });
  vi.runAllTimers();
  cleanup();
  vi.useRealTimers();
});

describe("a notification", () => {
  test("a notification stays by default, until its close button is pressed", () => {
    show("info", "Saved");
    pass(3_600_000);
    expect(screen.getByText("Saved")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByText("Saved")).toBeNull();
    expect(currentNotifications()).toEqual([]);
  });

  test("a notification closes itself after its duration and may have no button", () => {
    show("warning", "Slow", { durationMs: 5_000, closable: false });
    expect(screen.queryByRole("button")).toBeNull();
    pass(4_999);
    expect(screen.getByText("Slow")).toBeTruthy();
    pass(1);
    expect(screen.queryByText("Slow")).toBeNull();
  });

  test("a notification does not close while it is hovered", () => {
    show("info", "Read me", { durationMs: 1_000 });
    fireEvent.mouseEnter(screen.getByText("Read me"));
    pass(10_000);
    expect(screen.getByText("Read me")).toBeTruthy();
    fireEvent.mouseLeave(screen.getByText("Read me"));
    pass(1_000);
    expect(screen.queryByText("Read me")).toBeNull();
  });

  test("an error is announced at once, other notifications politely, and each by one live region", () => {
    const region = screen.getByRole("region", { name: "Notifications" });
    const live = () => [region.getAttribute("aria-live"), region.firstChild?.textContent];
    show("error", "Broken");
    expect(live()).toEqual(["assertive", "Broken"]);
    show("warning", "Careful");
    expect(live()).toEqual(["polite", "Careful"]);
    expect(region.querySelectorAll("[aria-live], [role=alert], [role=status]")).toHaveLength(0);
  });

  test("an error and a warning close after eight seconds, unless a duration is given", () => {
    show("error", "Broken");
    show("warning", "Careful");
    show("error", "For good", { durationMs: 0 });
    pass(7_999);
    expect(texts()).toEqual(["For good", "Careful", "Broken"]);
    pass(1);
    expect(texts()).toEqual(["For good"]);
  });

  test("at most three notifications are shown, the newest first", () => {
    for (const text of ["One", "Two", "Three", "Four"]) show("info", text);
    show("error", "Five");
    expect(texts()).toEqual(["Five", "Four", "Three"]);
  });

  test("the same message is shown once, as the newest", () => {
    for (const text of ["Not saved", "Other", "Not saved"]) show("error", text);
    expect(texts()).toEqual(["Not saved", "Other"]);
  });

  test("notifications of one kind are shown as one with their number, whose action runs all of theirs", () => {
    const undone: string[] = [];
    const gone = (name: string, kind = "gone") =>
      act(() =>
        notifyCounted(`${name} is gone`, {
          ...{ kind, count: 1, word: (count) => `${count} are gone` },
          undo: { label: "Undo", run: () => void undone.push(name) },
        }),
      );
    gone("a");
    gone("other", "moved");
    pass(9_000);
    gone("b");
    gone("c");
    expect(texts()).toEqual(["3 are gone", "other is gone"]);
    pass(9_000);
    expect(texts()).toEqual(["3 are gone"]);
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(undone).toEqual(["c", "b", "a"]);
    expect(texts()).toEqual([]);
  });

  test("the action of a notification runs once and closes it", () => {
    const run = vi.fn();
    show("info", "Gone", { durationMs: 10_000, action: { label: "Undo", run } });
    fireEvent.focus(screen.getByRole("button", { name: "Undo" }));
    pass(60_000);
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(run).toHaveBeenCalledTimes(1);
    expect(screen.queryByText("Gone")).toBeNull();
    expect(runLatestAction()).toBe(false);
  });

  test("the key F6 moves the focus to a notification; F6, Escape and closing move it back", () => {
    const here = document.body.appendChild(document.createElement("input"));
    here.focus();
    const press = (key: string, options = {}) =>
      fireEvent.keyDown(document.activeElement ?? document, { key, ...options });
    const isTaken = (key: string, options = {}) => !press(key, options);
    expect(isTaken("F6")).toBe(false);
    show("info", "Before");
    show("info", "Gone", { durationMs: 10_000, action: { label: "Undo", run: () => {} } });
    show("warning", "Nothing to press", { closable: false });
    expect(isTaken("F6", { ctrlKey: true })).toBe(false);
    for (const back of ["F6", "Escape"]) {
      expect(isTaken("F6")).toBe(true);
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
      expect(isTaken(back)).toBe(true);
      expect(document.activeElement).toBe(here);
    }
    expect(isTaken("Escape")).toBe(false);
    const dialog = document.body.appendChild(document.createElement("div"));
    dialog.setAttribute("role", "dialog");
    expect(isTaken("F6")).toBe(false);
    expect(document.activeElement).toBe(here);
    dialog.remove();
    press("F6");
    pass(60_000);
    act(() => screen.getByRole("button", { name: "Undo" }).click());
    expect(screen.queryByText("Gone")).toBeNull();
    expect(document.activeElement).toBe(here);
    here.remove();
  });

  test("each notification closes by itself", () => {
    show("info", "First");
    show("info", "Second");
    const [, first] = screen.getAllByRole("button", { name: "Close" });
    if (first) fireEvent.click(first);
    expect(screen.queryByText("First")).toBeNull();
    expect(screen.getByText("Second")).toBeTruthy();
  });
});
