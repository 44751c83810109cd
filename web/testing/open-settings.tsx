/** For tests: the settings of a signed-in person, with a fake server. */

import { act, cleanup, fireEvent, type RenderResult, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import { loadAuthConfig } from "../accounts/auth-config.ts";
import { forgetSession, signIn } from "../accounts/session/session.ts";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "./fakes/fake-api.ts";
import "../locales/i18n.ts";
import { SettingsScreen } from "../settings/settings-screen.tsx";
import { clearNotifications } from "../ui/notifications/notify.ts";
import type { SettingsSection } from "../ui/settings-sections.ts";

export const config = {
  json: { productName: "Salon", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true },
};
export const details = {
  hasPassword: true,
  hasGoogle: false,
  pendingEmail: null,
  createdAt: 1,
  secondFactor: null,
  lastSignIns: {},
  needsSecondFactor: false,
};
export const done: FakeAnswer = () => new Response(null, { status: 204 });
export const client = { browser: "Chrome", system: "Linux", ip: "203.0.113.9" };
export const here = { ...client, id: "here", isCurrent: true, method: "password", createdAt: 1, lastSeenAt: 2 };
export const there = { ...here, id: "there", isCurrent: false, method: "google", browser: "Safari", system: "iOS" };

type Answers = Record<string, FakeAnswer | readonly FakeAnswer[]>;

let page: RenderResult | null = null;
let titled: string | null = null;
const nameTab = (title: string | null) => {
  titled = title;
};
/** Returns the name that the shown section gave to the browser's tab. */
export const tabName = () => titled;

const screenOf = (section: SettingsSection) => (
  <MemoryRouter>
    <SettingsScreen section={section} onTitle={nameTab} />
  </MemoryRouter>
);

/** Navigates as the browser's back button does, which no dialog prevents. */
export const goTo = (section: SettingsSection) => act(async () => page?.rerender(screenOf(section)));

/** Opens a section. Returns the live list of calls that change data. */
export async function openSettings(section: SettingsSection, answers: Answers = {}) {
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  const calls = fakeApi({
    "GET /auth/config": config,
    "GET /auth/me": { json: ada },
    "PATCH /auth/preferences": { json: ada },
    "GET /auth/account": { json: details },
    "GET /auth/sessions": { json: [here] },
    "GET /auth/passkeys": { json: { passkeys: [] } },
    "GET /auth/security-log": { json: [] },
    "GET /models": { json: [] },
    "GET /mcp/servers": { json: { canAdd: false, servers: [] } },
    "GET /shares": { json: { rules: { audiences: ["signed-in"], daysMax: null }, shares: [] } },
    "GET /storage": { json: { bytes: 0, maxBytes: 1e9, maxChatBytes: 1.6e7, largest: [] } },
    ...answers,
  });
  await loadAuthConfig();
  await act(async () => {
    page = render(screenOf(section));
  });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}

export const type = (label: string | RegExp, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
export async function press(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole("button", { name });
  await act(async () => fireEvent.click(button));
}
export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
export const noteOf = (label: string | RegExp) =>
  document.getElementById(field(label).getAttribute("aria-describedby") ?? "")?.textContent;

/** Registers the cleanup before and after each test; call it at the top of a test file. */
export function eachTestAlone(): void {
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    cleanup();
    forgetSession();
    clearNotifications();
    vi.unstubAllGlobals();
  });
}
