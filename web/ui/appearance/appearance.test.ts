import { beforeEach, describe, expect, test, vi } from "vitest";
import { appearanceChoices } from "#contract/accounts/preferences.ts";
import script from "../../public/appearance.js?raw";
import {
  APPEARANCE_KEY,
  type Appearance,
  type AppearanceName,
  changeAppearance,
  currentAppearance,
  subscribeAppearance,
  usualAppearance,
} from "./appearance.ts";

/** Runs the appearance script as the document does before its body. */
const openPage = (stored: string | null = localStorage.getItem(APPEARANCE_KEY)) => {
  if (stored === null) localStorage.removeItem(APPEARANCE_KEY);
  else localStorage.setItem(APPEARANCE_KEY, stored);
  new Function(script)();
};
const names = Object.keys(appearanceChoices) as AppearanceName[];
const storedAppearance = () => JSON.parse(localStorage.getItem(APPEARANCE_KEY) ?? "null");

beforeEach(() => {
  document.head.innerHTML =
    '<meta name="color-scheme"><meta name="theme-color" data-scheme="light"><meta name="theme-color" data-scheme="dark">';
  openPage(null);
});

describe("the stored appearance", () => {
  test.each(names.flatMap((name) => appearanceChoices[name].map((value) => [name, value] as const)))(
    "the stored appearance %s: %s is on the page before it is painted",
    (name, value) => {
      openPage(JSON.stringify({ [name]: value }));
      expect(currentAppearance()).toEqual({ ...usualAppearance, [name]: value });
      expect(document.documentElement.hasAttribute(`data-${name}`)).toBe(value !== usualAppearance[name]);
    },
  );

  test.each([
    "",
    "{",
    "null",
    "7",
    '"dark"',
    "[]",
    '{"theme":"pink","size":{},"send":["mod-enter"],"contrast":null,"lang":"x","__proto__":{"theme":"dark"}}',
  ])("a stored appearance is ignored if it is %s", (text) => {
    openPage(text);
    expect(currentAppearance()).toEqual(usualAppearance);
    expect([...document.documentElement.attributes].filter((each) => each.name.startsWith("data-"))).toEqual([]);
  });
});

test("the default of each choice of the appearance is its first value", () => {
  for (const name of names) expect(usualAppearance[name]).toBe(appearanceChoices[name][0]);
});

test("an appearance is applied at once, stored if it differs from the default, and restored later", () => {
  const change: Partial<Appearance> = { theme: "dark", size: "large", motion: "system" };
  changeAppearance(change);
  expect(currentAppearance()).toEqual({ ...usualAppearance, ...change });
  expect(storedAppearance()).toEqual({ theme: "dark", size: "large" });
  document.documentElement.removeAttribute("data-theme");
  openPage();
  expect(currentAppearance().theme).toBe("dark");
  changeAppearance(usualAppearance);
  expect(storedAppearance()).toBeNull();
  expect(currentAppearance()).toEqual(usualAppearance);
});

test("an appearance chosen in another tab is applied here and notifies subscribers", async () => {
  const listener = vi.fn();
  const stop = subscribeAppearance(listener);
  localStorage.setItem(APPEARANCE_KEY, '{"contrast":"more"}');
  window.dispatchEvent(new StorageEvent("storage", { key: "another" }));
  expect(currentAppearance().contrast).toBe("system");
  window.dispatchEvent(new StorageEvent("storage", { key: APPEARANCE_KEY }));
  expect(currentAppearance().contrast).toBe("more");
  await vi.waitFor(() => expect(listener).toHaveBeenCalled());
  stop();
});

test("an appearance is applied even if the browser refuses to store it", () => {
  const write = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  changeAppearance({ theme: "light" });
  expect(currentAppearance().theme).toBe("light");
  write.mockRestore();
});

test("the browser's own interface has the current theme", () => {
  const media = () => [...document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")].map((each) => each.media);
  const scheme = () => document.querySelector<HTMLMetaElement>("meta[name=color-scheme]")?.content;
  expect(scheme()).toBe("light dark");
  expect(media()).toEqual(["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]);
  changeAppearance({ theme: "dark" });
  expect(media()).toEqual(["not all", "all"]);
  expect(scheme()).toBe("dark");
  changeAppearance({ theme: "light" });
  expect(media()).toEqual(["all", "not all"]);
});
