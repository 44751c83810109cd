import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type Connection, defaultConnectionSettings } from "#contract/administration/connections.ts";
import { answerProof } from "../../proof/proof.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { done, eachTestAlone, field, noteOf, press, type } from "../../testing/open-settings.tsx";

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
const LIST = "GET /admin/connections";

async function open(connections: Connection[], answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}) {
  const calls = await openAdministration("connections", {
    [LIST]: { json: { connections, automatic: null } },
    "GET /models": { json: [] },
    ...answers,
  });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}
const card = (name: string) => within(screen.getByRole("listitem", { name }));
const openMenu = (name: string) =>
  act(async () => void fireEvent.keyDown(screen.getByRole("button", { name: `More: ${name}` }), { key: "Enter" }));
async function choose(name: string, action: string) {
  await openMenu(name);
  await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: action })));
}
const names = () =>
  within(screen.getByRole("list", { name: "Connections" }))
    .getAllByRole("heading")
    .map((each) => each.textContent);

describe("list of connections", () => {
  test("each connection shows its state, and a fixed one the variable that sets it", async () => {
    await open([
      connection("GPT", { isFixed: true, name: "OpenAI" }),
      connection("HOME", { list: { state: "there", at: 1, offered: 2, all: 5 } }),
      connection("AWAY", { list: { state: "away", reason: "key", offered: 0, all: 0 } }),
      connection("LOST", { isUnreadable: true, keyEnd: "" }),
      connection("OFF", { isEnabled: false }),
      connection("BARE", { keyEnd: null, list: { state: "none", offered: 0, all: 0 } }),
    ]);
    expect(card("OpenAI").getByText("Fixed by OPENAI_API_KEY in the server’s environment.")).toBeTruthy();
    expect(card("OpenAI").queryByRole("button", { name: /^(Edit|Delete|Models)/ })).toBeNull();
    expect(card("OpenAI").getByRole("button", { name: "Test: OpenAI" })).toBeTruthy();
    expect(card("HOME").getByText("2 of 5 models can be chosen.")).toBeTruthy();
    expect(card("HOME").getByText("Key ••••6789")).toBeTruthy();
    expect(card("AWAY").getByText("The key was refused. Enter the key of this connection again.")).toBeTruthy();
    expect(card("LOST").getByText(/stored key cannot be read.*enter its key again/)).toBeTruthy();
    expect(card("LOST").queryByRole("button", { name: /^Test/ })).toBeNull();
    expect(card("OFF").getByText("Off")).toBeTruthy();
    expect(card("BARE").getByText(/has no list of models\. Add them by their names/)).toBeTruthy();
  });

  test("a list that is away names its reason, and that it is not known", async () => {
    const unavailable = { state: "away" as const, offered: 0, all: 0 };
    const ownContainer = { reason: "no-listener", isOwnContainer: true as const };
    await open([
      connection("HOME", { baseUrl: "http://127.0.0.1:11434/v1", list: { ...unavailable, ...ownContainer } }),
      connection("OLD", { list: unavailable }),
    ]);
    expect(card("HOME").getByText(/^127\.0\.0\.1:11434 refused the connection.*is that container itself/)).toBeTruthy();
    expect(card("OLD").getByText(/^The call failed for an unknown reason\./)).toBeTruthy();
  });

  test("connections that cannot be read can be requested again", async () => {
    await open([], {
      [LIST]: [problem(503, "unavailable"), { json: { connections: [connection("HOME")], automatic: null } }],
    });
    await press("Try again");
    expect(names()).toEqual(["HOME"]);
  });

  test("connections are ordered by their menu, and the fixed ones stay first", async () => {
    const fixed = connection("GPT", { isFixed: true, name: "OpenAI" });
    const sent = await open([fixed, connection("A"), connection("B")], { "PUT /admin/connections/order": done });
    await choose("A", "Move down");
    expect(names()).toEqual(["OpenAI", "B", "A"]);
    expect(sent()).toEqual([["PUT /admin/connections/order", { slugs: ["B", "A"] }]]);
    expect(screen.getByText("A is now 2 of 2.")).toBeTruthy();
    await choose("A", "Move down");
    expect(sent()).toHaveLength(1);
  });

  test("a connection is switched off, and its list is refreshed", async () => {
    const sent = await open([connection("HOME")], {
      "POST /admin/connections/HOME/list": {
        json: connection("HOME", { list: { state: "there", offered: 7, all: 7 } }),
      },
      "PATCH /admin/connections/HOME": { json: connection("HOME", { isEnabled: false }) },
    });
    await choose("HOME", "Refresh list");
    expect(card("HOME").getByText("7 models can be chosen.")).toBeTruthy();
    await choose("HOME", "Switch off");
    expect(card("HOME").getByText("Off")).toBeTruthy();
    expect(sent().at(-1)).toEqual(["PATCH /admin/connections/HOME", { isEnabled: false }]);
  });

  test("a connection is deleted after a question that names what uses it", async () => {
    const sent = await open([connection("HOME"), connection("B")], {
      "GET /admin/connections/HOME/uses": { json: { presets: 2, groups: ["Class 5b"], isAutomatic: true } },
      "DELETE /admin/connections/HOME": done,
    });
    await choose("HOME", "Delete");
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/Chats stay readable.*2 presets.*Class 5b.*Automatic choice passes over/)).toBeTruthy();
    await act(async () => fireEvent.click(dialog.getByRole("button", { name: "Delete" })));
    expect(names()).toEqual(["B"]);
    expect(sent()).toEqual([["DELETE /admin/connections/HOME", undefined]]);
  });

  test("the key of a test is the slug of a stored connection, and the provider of a fixed one", async () => {
    const answered = { json: { ok: true, model: "HOME:m", answer: "OK", durationMs: 5 } };
    const sent = await open([connection("CLAUDE", { isFixed: true, name: "Claude" }), connection("HOME")], {
      "POST /admin/providers/anthropic/test": answered,
      "POST /admin/providers/HOME/test": answered,
    });
    await press("Test: Claude");
    await press("Test: HOME");
    expect(sent().map(([call]) => call)).toEqual([
      "POST /admin/providers/anthropic/test",
      "POST /admin/providers/HOME/test",
    ]);
  });
});

describe("new connections", () => {
  test("an empty page leads to a first connection, which is created after a proof and tested", async () => {
    const created = connection("OLLAMA", {
      name: "Ollama",
      keyEnd: null,
      list: { state: "there", offered: 2, all: 2 },
    });
    const lists = [[], [created]].map((connections) => ({ json: { connections, automatic: null } }));
    const sent = await open([], {
      [LIST]: lists,
      "POST /admin/connections": [problem(403, "proof-needed"), { status: 201, json: created }],
      "POST /admin/providers/OLLAMA/test": {
        json: { ok: true, model: "OLLAMA:qwen3:8b", answer: "OK", durationMs: 5 },
      },
    });
    expect(screen.getByText("No model is connected yet")).toBeTruthy();
    await press(/^Ollama/);
    expect(field("Address").value).toBe("http://127.0.0.1:11434/v1");
    expect(noteOf("Address")).toMatch(/127\.0\.0\.1 inside a container/);
    await press("Connect");
    await act(async () => answerProof(true));
    expect(screen.getByRole("heading", { name: "Ollama works" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Start a chat" }).getAttribute("href")).toBe("/chat");
    const body = { name: "Ollama", kind: "ollama", baseUrl: "http://127.0.0.1:11434/v1", apiKey: null };
    expect(sent().at(-1)).toEqual(["POST /admin/connections", body]);
    await act(async () => fireEvent.click(screen.getAllByRole("button", { name: "Test: Ollama" })[0] as HTMLElement));
    expect(screen.getByText(/qwen3:8b answered/)).toBeTruthy();
  });

  test("templates are searched, and what matches none is another compatible server", async () => {
    await open([]);
    type("Search servers", "open");
    const servers = () =>
      within(screen.getByRole("list", { name: "Servers" }))
        .getAllByRole("button")
        .map((each) => each.textContent);
    expect(servers()).toEqual(["OpenAINeeds a key", "OpenRouterNeeds a key", "Azure OpenAINeeds a key"]);
    type("Search servers", "perplexity");
    expect(servers()).toEqual(["Another compatible serverKey if it asks for one"]);
    await act(async () => void fireEvent.keyDown(field("Search servers"), { key: "Enter" }));
    expect(field("Address").value).toBe("");
  });

  test("a key that the template requires, and the blank of an address, must be entered", async () => {
    const sent = await open([], {
      "POST /admin/connections": problem(400, "invalid-input", {
        issues: [{ field: "baseUrl", rule: "invalid", message: "No." }],
      }),
    });
    await press(/^Azure/);
    await press("Connect");
    expect([noteOf("Address"), noteOf("Key")]).toEqual(["Address is not valid", "Key is required"]);
    expect(sent()).toEqual([]);
    type("Address", "https://salon.openai.azure.com/openai/v1");
    type("Key", "azure-key");
    await press("Connect");
    expect(sent()).toHaveLength(1);
    expect(noteOf("Address")).toBe("Address is not valid");
    expect(screen.getByRole("link", { name: "Get a key from Azure OpenAI" }).getAttribute("target")).toBe("_blank");
  });

  test("a connection that does not answer is saved with its reason", async () => {
    const list = { state: "away" as const, reason: "unreachable", offered: 0, all: 0 };
    const created = connection("OLLAMA", { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", list });
    await open([connection("HOME")], { "POST /admin/connections": { status: 201, json: created } });
    await press("Connect a server");
    await press(/^Ollama/);
    await press("Connect");
    expect(screen.getByRole("heading", { name: "Ollama is saved" })).toBeTruthy();
    expect(screen.getAllByText(/127\.0\.0\.1:11434 could not be reached\. Check the address/)[0]).toBeTruthy();
    await press("Done");
    expect(screen.queryByRole("heading", { name: "Ollama is saved" })).toBeNull();
  });
});

describe("changes of a connection", () => {
  const change = "PATCH /admin/connections/HOME";

  test("only changed fields are sent, and the key is never shown", async () => {
    const sent = await open([connection("HOME")], { [change]: { json: connection("HOME", { name: "Office" }) } });
    await press("Edit: HOME");
    expect(screen.getAllByText("••••6789")).toHaveLength(1);
    type("Name of the connection", "Office");
    await press("Save");
    expect(sent()).toEqual([[change, { name: "Office" }]]);
    expect(screen.getByText("Saved: Office")).toBeTruthy();
    await press("Edit: Office");
    await press("Save");
    expect(sent()).toHaveLength(1);
  });

  test("a key is replaced or removed, and headers are replaced together", async () => {
    const sent = await open([connection("HOME", { headers: ["X-Team"] })], { [change]: { json: connection("HOME") } });
    await press("Edit: HOME");
    await press("Replace key");
    await press("Save");
    expect(noteOf("Key")).toBe("Key is required");
    type("Key", "sk-new");
    await press("More");
    expect(screen.getByText("X-Team: ••••")).toBeTruthy();
    await press("Replace headers");
    fireEvent.change(screen.getByLabelText("Additional headers"), { target: { value: "no header" } });
    await press("Save");
    expect(noteOf("Additional headers")).toBe("Enter lines such as X-Team: salon.");
    for (const [lines, sentence] of [
      ["Authorization: Basic Og==", "Authorization is set by the connection itself."],
      ["X-Team: a\nx-team: b", "x-team stands there twice."],
      ["X-Mail: {email}", "X-Mail has a person’s address or name: switch that on first."],
    ] as const) {
      fireEvent.change(screen.getByLabelText("Additional headers"), { target: { value: lines } });
      await press("Save");
      expect(noteOf("Additional headers")).toBe(sentence);
    }
    expect(sent()).toEqual([]);
    fireEvent.change(screen.getByLabelText("Additional headers"), {
      target: { value: "X-Team: a:b\nX-Id: {account}\n" },
    });
    await press("Save");
    const headers = [
      { name: "X-Team", value: "a:b" },
      { name: "X-Id", value: "{account}" },
    ];
    expect(sent()).toEqual([[change, { apiKey: "sk-new", headers }]]);
    await press("Edit: HOME");
    await press("Remove key");
    expect(screen.getByText("Removed when you save")).toBeTruthy();
    await press("Save");
    expect(sent().at(-1)).toEqual([change, { apiKey: null }]);
  });

  test("settings under More are sent as differences, and a wrong one opens More", async () => {
    const azure = connection("HOME", { kind: "azure", settings: { ...settings, unknownContextTokens: 4096 } });
    const sent = await open([azure], { [change]: { json: azure } });
    await press("Edit: HOME");
    await press("More");
    fireEvent.change(screen.getByLabelText("Models that people can choose"), { target: { value: "pattern" } });
    type("Pattern of names", "gpt-*");
    type("API version (classic deployments)", "2024-10-21");
    type(/^Window of models/, "100");
    await press("More");
    await press("Save");
    expect(noteOf(/^Window of models/)).toBe("Window is not valid");
    type(/^Window of models/, "32,768");
    await press("Save");
    const changed = { offer: "pattern", pattern: "gpt-*", apiVersion: "2024-10-21", unknownContextTokens: 32768 };
    expect(sent()).toEqual([[change, { settings: changed }]]);
  });

  test("a connection stops to use the server’s proxy", async () => {
    const sent = await open([connection("HOME")], { [change]: { json: connection("HOME") } });
    await press("Edit: HOME");
    await press("More");
    fireEvent.click(screen.getByLabelText("Calls use the server’s proxy"));
    await press("Save");
    expect(sent()).toEqual([[change, { settings: { usesProxy: false } }]]);
  });

  test("headers may have a person’s address once that is switched on", async () => {
    const sent = await open([connection("HOME")], { [change]: { json: connection("HOME") } });
    await press("Edit: HOME");
    await press("More");
    fireEvent.click(screen.getByLabelText("Headers may have the address and name of the person who asks"));
    expect(screen.getByText("Every person sees it on the page “Account” of the settings.")).toBeTruthy();
    await press("Add headers");
    fireEvent.change(screen.getByLabelText("Additional headers"), { target: { value: "X-Mail: {email}" } });
    await press("Save");
    const headers = [{ name: "X-Mail", value: "{email}" }];
    expect(sent()).toEqual([[change, { settings: { sendsPerson: true }, headers }]]);
  });

  test("the key of a connection that cannot be read is entered again", async () => {
    const sent = await open([connection("HOME", { isUnreadable: true, keyEnd: "" })], {
      [change]: { json: connection("HOME") },
    });
    await press("Edit: HOME");
    type("Key", "sk-again");
    await press("Save");
    expect(sent()).toEqual([[change, { apiKey: "sk-again" }]]);
  });
});

test("connections are a page of owners only", async () => {
  await openAdministration(
    "connections",
    { "GET /admin/accounts?sort=name&direction=asc": problem(503, "unavailable") },
    "administrator",
  );
  expect(screen.queryByRole("link", { name: "Connections" })).toBeNull();
});
