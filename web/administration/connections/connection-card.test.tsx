import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type Connection, defaultConnectionSettings } from "#contract/administration/connections.ts";
import type { FakeAnswer } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone, press } from "../../testing/open-settings.tsx";

eachTestAlone();

const settings = defaultConnectionSettings;
const connection = (slug: string, more: Partial<Connection> = {}): Connection => ({
  slug,
  name: slug,
  kind: "openai",
  baseUrl: "https://llm.example.org/v1",
  isFixed: false,
  isEnabled: true,
  keyEnd: "6789",
  isUnreadable: false,
  headers: [],
  settings,
  list: { state: "there", at: 1, offered: 3, all: 3 },
  ...more,
});

async function open(connections: Connection[], answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}) {
  await openAdministration("connections", {
    "GET /admin/connections": { json: { connections, automatic: null } },
    "GET /models": { json: [] },
    ...answers,
  });
}
const card = (name: string) => within(screen.getByRole("listitem", { name }));
const menuItems = () => screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
const openMenu = (name: string) =>
  act(async () => void fireEvent.keyDown(screen.getByRole("button", { name: `More: ${name}` }), { key: "Enter" }));
async function choose(name: string, action: string) {
  await openMenu(name);
  await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: action })));
}
const badges = (name: string) =>
  ["Works", "Not reachable", "Key refused", "Does not work"].filter((word) => card(name).queryByText(word));

test("each connection has two buttons and a menu of the other actions", async () => {
  await open([connection("LOCAL", { isFixed: true, name: "Local" }), connection("A"), connection("B")]);
  const buttons = (name: string) =>
    card(name)
      .getAllByRole("button")
      .map((each) => each.getAttribute("aria-label"));
  expect(buttons("A")).toEqual(["Test: A", "Edit: A", "More: A"]);
  expect(buttons("Local")).toEqual(["Test: Local", "Models: Local", "More: Local"]);
  await openMenu("A");
  expect(menuItems()).toEqual(["Models", "Refresh list", "Switch off", "Move up", "Move down", "Delete"]);
  expect(screen.getByRole("menuitem", { name: "Move up" }).getAttribute("aria-disabled")).toBe("true");
});

test("a connection has the state of the newest fact, in one word and one sentence", async () => {
  const list = { state: "away" as const, reason: "key", offered: 0, all: 0 };
  const answers = [
    {
      json: {
        ok: false,
        code: "assistant-unreachable",
        reason: "no-listener",
        host: "llm.example.org",
        durationMs: 5,
      },
    },
    { json: { ok: true, model: "HOME:m", answer: "OK", durationMs: 5 } },
    { json: { ok: false, code: "assistant-misconfigured", reason: "key", host: "llm.example.org", durationMs: 5 } },
  ];
  await open([connection("HOME", { list })], {
    "POST /admin/providers/HOME/test": answers,
    "POST /admin/connections/HOME/list": { json: connection("HOME") },
  });
  const refusals = () =>
    [/key was refused/, /refused the connection/].map((each) => card("HOME").queryAllByText(each).length);
  expect([badges("HOME"), refusals()]).toEqual([["Key refused"], [1, 0]]);
  await press("Test: HOME");
  expect([badges("HOME"), refusals()]).toEqual([["Not reachable"], [0, 1]]);
  await press("Test: HOME");
  expect([badges("HOME"), refusals()]).toEqual([["Works"], [0, 0]]);
  await press("Test: HOME");
  expect([badges("HOME"), refusals()]).toEqual([["Key refused"], [1, 0]]);
  await choose("HOME", "Refresh list");
  expect([badges("HOME"), refusals()]).toEqual([["Works"], [0, 0]]);
});

test("the models of a server that was not reachable are counted after a successful test", async () => {
  const before = connection("HOME", { list: { state: "away", reason: "no-listener", offered: 0, all: 0 } });
  await open([before], {
    "GET /admin/connections": [before, connection("HOME")].map((each) => ({
      json: { connections: [each], automatic: null },
    })),
    "POST /admin/providers/HOME/test": { json: { ok: true, model: "HOME:m", answer: "OK", durationMs: 5 } },
  });
  expect(card("HOME").queryByText(/3 models/)).toBeNull();
  await press("Test: HOME");
  expect(card("HOME").getByText(/3 models/)).toBeTruthy();
  expect(badges("HOME")).toEqual(["Works"]);
});
