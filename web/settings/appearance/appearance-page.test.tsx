import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chooseLanguage, loadPageTexts } from "../../locales/language.ts";
import script from "../../public/appearance.js?raw";
import { eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";
import { APPEARANCE_KEY } from "../../ui/appearance/appearance.ts";
import { currentNotifications } from "../../ui/notifications/notify.ts";

eachTestAlone();
beforeEach(() => void new Function(script)());
afterEach(() => window.dispatchEvent(new CustomEvent(APPEARANCE_KEY, { detail: null })));

const page = () => ({ ...document.documentElement.dataset });
const storedAppearance = () => JSON.parse(localStorage.getItem(APPEARANCE_KEY) ?? "null");
const choose = async (role: "radio" | "switch", name: string) => {
  const control = await screen.findByRole(role, { name });
  await act(async () => void fireEvent.click(control));
};
const isOn = (role: "radio" | "switch", name: string) =>
  screen.getByRole<HTMLInputElement>(role, { name: new RegExp(name) }).checked;
const open = async () => {
  await openSettings("appearance");
  await screen.findByRole("radio", { name: "System" });
};

test("each choice of the appearance is applied and stored at once", async () => {
  await open();
  for (const name of ["Dark", "Inter", "Large"]) await choose("radio", name);
  for (const name of ["High contrast", "Less motion", "Wrap long lines of code"]) await choose("switch", name);
  await act(async () => fireEvent.click(screen.getByRole("radio", { name: /^Ctrl\+Enter sends/ })));
  const chosen = {
    theme: "dark",
    contrast: "more",
    motion: "less",
    typeface: "sans",
    size: "large",
    code: "wrap",
    send: "mod-enter",
  };
  expect(page()).toMatchObject(chosen);
  expect(storedAppearance()).toEqual(chosen);
  await vi.waitFor(() => expect(isOn("radio", "^Dark")).toBe(true));
  expect(screen.getByRole("figure", { name: "Preview" }).querySelector("[data-wrapped=true]")).not.toBeNull();
});

test("Enter sends by the device, until a key is chosen", async () => {
  await open();
  expect(isOn("radio", "^By device")).toBe(true);
  await act(async () => fireEvent.click(screen.getByRole("radio", { name: /^Enter sends/ })));
  expect([page().send, storedAppearance()]).toEqual(["enter", { send: "enter" }]);
});

test("the appearance shows a choice of another tab", async () => {
  await open();
  localStorage.setItem(APPEARANCE_KEY, '{"theme":"light"}');
  await act(async () => void window.dispatchEvent(new StorageEvent("storage", { key: APPEARANCE_KEY })));
  await vi.waitFor(() => expect(isOn("radio", "^Light")).toBe(true));
});

test("the key that sends has the label of the language's keyboards", async () => {
  await open();
  const names = () => screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent ?? "");
  expect(names().some((name) => name.startsWith("Ctrl+Enter sends"))).toBe(true);
  await loadPageTexts();
  await act(() => chooseLanguage("de"));
  await vi.waitFor(() => expect(names().some((name) => name.startsWith("Strg+Enter sendet"))).toBe(true));
  await act(() => chooseLanguage("en"));
});

test("a reset of the appearance can be undone", async () => {
  await open();
  const reset = screen.getByRole("button", { name: "Reset appearance" });
  expect(reset.getAttribute("aria-disabled")).toBe("true");
  await choose("radio", "Dark");
  await choose("radio", "Small");
  await vi.waitFor(() => expect(reset.getAttribute("aria-disabled")).toBeNull());
  reset.focus();
  await press("Reset appearance");
  expect(storedAppearance()).toBeNull();
  await vi.waitFor(() => expect(reset.getAttribute("aria-disabled")).toBe("true"));
  expect(document.activeElement).toBe(reset);
  expect(page().theme).toBeUndefined();
  const [notification] = currentNotifications();
  expect(notification?.text).toBe("The appearance was reset.");
  await act(async () => notification?.action?.run());
  expect(storedAppearance()).toEqual({ theme: "dark", size: "small" });
  await vi.waitFor(() => expect(isOn("radio", "^Dark")).toBe(true));
});
