import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { AdministeredMcpServer, McpServerCheck } from "#contract/administration/mcp-servers.ts";
import { mcpFailures, mcpFaults } from "#contract/mcp/server-failures.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { done, eachTestAlone, field, noteOf, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const LIST = "/admin/mcp-servers";
const CHECK = "POST /admin/mcp-server-check";
const SETTINGS = "/admin/settings";

const tool = (name: string, effect: "read" | "add" | "change" = "read") => ({ name, description: "", effect });
const wiki: AdministeredMcpServer = {
  slug: "wiki",
  name: "Wiki",
  url: "https://wiki.example.org/mcp",
  isFixed: false,
  isOverridden: false,
  headers: [{ name: "Authorization", end: "6789" }],
  isUnreadable: false,
  groups: null,
  isTrusted: false,
  isEnabled: true,
  chosenTools: null,
  state: "ready",
  revision: "2026-07-28",
  tools: [{ ...tool("find_pages"), title: "Find pages", description: "Searches the wiki." }, tool("edit", "change")],
  unlistedTools: 0,
  listedAt: 1,
  calls: 12,
  failures: 3,
};
const works: McpServerCheck = {
  ok: true,
  host: "wiki.example.org",
  revision: "2026-07-28",
  tools: wiki.tools,
  unlistedTools: 0,
  leftOut: [],
};
const saved = (server: AdministeredMcpServer, check: McpServerCheck | null = null) => ({ json: { server, check } });
const own = (value: "on" | "off", source = "default") => ({ value, source, default: "off" });
const settingsWith = (ownToolServers: ReturnType<typeof own>) => ({
  json: {
    productName: { value: "Parley", source: "default", default: "Parley" },
    registration: { value: "open", source: "default", default: "open" },
    registrationDomains: { value: [], source: "default", default: [] },
    trustedNetworks: { value: [], source: "default", default: [] },
    dailyReplies: { value: 500, source: "default", default: 500 },
    toolCallsPerMinute: { value: 60, source: "default", default: 60 },
    toolCallsPerDay: { value: 1000, source: "default", default: 1000 },
    releaseCheck: own("off"),
    systemPrompt: { value: "", source: "default", default: "" },
    ownToolServers,
    shareLinks: { value: "anyone", source: "default", default: "anyone" },
    shareDaysMax: { value: 0, source: "default", default: 0 },
  },
});
const group = (id: string, name: string) => {
  const limits = { models: null, unknownModels: [], defaultModel: null, quotaMb: null, budget: null };
  const rest = { memberBudget: null, timeZone: "UTC", createdAt: 1, members: 0 };
  return { id, name, ...limits, ...rest, isOwnersOnly: false, needsSecondFactor: false, mayShare: true };
};

type Answers = Record<string, FakeAnswer | readonly FakeAnswer[]>;
type Opened = { ownHosts?: { host: string; people: number; calls: number }[]; role?: AccountRole; answers?: Answers };

async function open(
  servers: readonly AdministeredMcpServer[],
  { ownHosts = [], role = "owner", answers }: Opened = {},
) {
  const calls = await openAdministration(
    "tool-servers",
    {
      [`GET ${LIST}`]: { json: { servers, ownHosts } },
      [`GET ${SETTINGS}`]: settingsWith(own("off")),
      "GET /admin/groups": { json: { groups: [group("t", "Teachers"), group("p", "Pupils")], choices: [] } },
      ...answers,
    },
    role,
  );
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}

const card = (name: string) => screen.getByRole("listitem", { name });
const choose = (name: RegExp) => act(async () => screen.getByRole("radio", { name }).click());
const toggle = (name: string | RegExp) => act(async () => screen.getByRole("checkbox", { name }).click());
async function chooseInMenu(name: string, item: string): Promise<void> {
  await act(
    async () => void fireEvent.keyDown(screen.getByRole("button", { name: `More: ${name}` }), { key: "Enter" }),
  );
  await act(async () => void fireEvent.click(await screen.findByRole("menuitem", { name: item })));
}

describe("a new MCP server", () => {
  test("the form adds a server with headers for groups, and shows the tools that it answers with", async () => {
    const sent = await open([], { answers: { [`POST ${LIST}`]: { status: 201, ...saved(wiki, works) } } });
    expect(screen.getByText("No MCP server yet")).toBeTruthy();
    await press("Add a server");
    type("Name", "Wiki");
    type("Address", " https://wiki.example.org/mcp ");
    await press("Add headers");
    type("Headers", "Authorization: Bearer 0123456789");
    await choose(/^Members of groups/);
    await press("Add");
    expect(screen.getByText("Choose at least one group.")).toBeTruthy();
    await toggle("Teachers");
    await toggle(/^Trust what it states/);
    await press("Add");
    const headers = [{ name: "Authorization", value: "Bearer 0123456789" }];
    const url = "https://wiki.example.org/mcp";
    expect(sent()).toEqual([[`POST ${LIST}`, { name: "Wiki", url, headers, groups: ["t"], isTrusted: true }]]);
    expect(screen.getByText("Wiki is added.")).toBeTruthy();
    expect(within(card("Wiki")).getByText("wiki.example.org answers and has 2 tools.")).toBeTruthy();
    expect(within(card("Wiki")).getByRole("list", { name: "Tools of Wiki" }).textContent).toContain("Find pages");
  });

  test("the form names missing fields, headers that cannot be sent, and what the server refuses", async () => {
    const issues = [{ field: "url", rule: "invalid", message: "Address is not valid" }];
    await open([], { answers: { [`POST ${LIST}`]: problem(400, "invalid-input", { issues }) } });
    await press("Add a server");
    type("Address", "wiki.example.org");
    await press("Add");
    expect([noteOf("Name"), noteOf("Address")]).toEqual(["Name is required", "Address is not valid"]);
    type("Name", "Wiki");
    type("Address", "http://wiki.example.org/mcp");
    expect(noteOf("Address")).toMatch(/^Without https/);
    await press("Add headers");
    const refusals = [
      ["no header", /^Write each header on a line of its own/],
      ["Host: a", /^Host is set by the connection itself/],
      ["Mcp-Session-Id: a", /^Mcp-Session-Id is set by the connection itself/],
      ["X-Key: a\nx-key: b", /^x-key is there twice/],
    ] as const;
    for (const [lines, sentence] of refusals) {
      type("Headers", lines);
      await press("Add");
      expect(screen.getByText(sentence)).toBeTruthy();
    }
    type("Headers", "X-Key: a");
    await press("Add");
    expect(noteOf("Address")).toBe("Address is not valid");
  });

  test("a test before saving sends the entered values, and its result ends when the address changes", async () => {
    const leftOut = ["one", "two"];
    const sent = await open([], { answers: { [CHECK]: [{ json: { ...works, leftOut } }] } });
    await press("Add a server");
    await press("Test");
    expect(sent()).toEqual([]);
    type("Address", "https://wiki.example.org/mcp");
    await press("Test");
    expect(sent()).toEqual([[CHECK, { url: "https://wiki.example.org/mcp" }]]);
    expect(screen.getByText(/^Left out, .*: one and two\.$/)).toBeTruthy();
    expect(screen.getByText("It speaks the protocol of 2026-07-28.")).toBeTruthy();
    type("Address", "https://wiki.example.org/sse");
    expect(screen.queryByText(/^Left out/)).toBeNull();
  });
});

describe("stored MCP servers", () => {
  test("a card says for whom a server is, what it has, and how often it was called", async () => {
    const groups = [{ id: "t", name: "Teachers" }, { id: "gone" }];
    await open([{ ...wiki, groups, isTrusted: true, chosenTools: ["edit"] }]);
    const shown = within(card("Wiki"));
    for (const text of ["Ready", "Trusted", "For 2 groups: Teachers and a deleted group", "1 of 2 tools"]) {
      expect(shown.getByText(text)).toBeTruthy();
    }
    expect(shown.getByText("12 calls in 30 days, 3 failed")).toBeTruthy();
    expect(shown.getByText(/Authorization: ••••6789/)).toBeTruthy();
    expect(shown.getByText("https://wiki.example.org/mcp")).toBeTruthy();
  });

  test("a change sends the differences only, and another address asks for the headers again", async () => {
    const answers = { [`PATCH ${LIST}/wiki`]: saved({ ...wiki, name: "Our Wiki" }) };
    const sent = await open([wiki], { answers });
    await press("Edit Wiki");
    type("Name", "Our Wiki");
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/wiki`, { name: "Our Wiki" }]]);
    expect(screen.getByText("Our Wiki is saved.")).toBeTruthy();
    await press("Edit Our Wiki");
    const url = "https://other.example.org/mcp";
    type("Address", url);
    await press("Save");
    expect(screen.getByText(/^The headers are for the former address/)).toBeTruthy();
    type("Headers", "Authorization: new");
    await press("Save");
    const headers = [{ name: "Authorization", value: "new" }];
    expect(sent()[1]).toEqual([`PATCH ${LIST}/wiki`, { url, headers }]);
  });

  test("stored headers can be removed, and unreadable ones are asked for", async () => {
    const unreadable = { ...wiki, slug: "old", name: "Old", headers: [], isUnreadable: true };
    const answers = { [`PATCH ${LIST}/wiki`]: saved({ ...wiki, headers: [] }) };
    const sent = await open([wiki, unreadable], { answers });
    expect(within(card("Old")).getByText(/^The server cannot open its headers/)).toBeTruthy();
    await press("Edit Old");
    expect(field("Headers").value).toBe("");
    await press("Edit Wiki");
    await press("Remove");
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/wiki`, { headers: [] }]]);
  });

  test("the owner chooses tools in a list that can be searched if it is long", async () => {
    const tools = Array.from({ length: 12 }, (_, index) => tool(`tool-${index}`));
    const long = { ...wiki, tools, chosenTools: ["tool-1", "gone"] };
    const sent = await open([long], {
      answers: { [`PATCH ${LIST}/wiki`]: saved({ ...long, chosenTools: ["tool-11"] }) },
    });
    await press("Tools: Wiki");
    expect(screen.getByText("Chosen: 2")).toBeTruthy();
    expect(screen.getByText("The server does not have it any more")).toBeTruthy();
    await toggle("gone");
    await toggle("tool-1");
    type("Search the tools", "11");
    await toggle("tool-11");
    expect(screen.queryByRole("checkbox", { name: "tool-1" })).toBeNull();
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/wiki`, { chosenTools: ["tool-11"] }]]);
    expect(screen.getByText("The tools of Wiki are saved.")).toBeTruthy();
    expect(within(card("Wiki")).getByText("1 of 12 tools")).toBeTruthy();
  });

  test("the removal asks first, and says what is deleted with the server", async () => {
    const sent = await open([wiki], { answers: { [`DELETE ${LIST}/wiki`]: done } });
    await chooseInMenu("Wiki", "Remove");
    const dialog = await screen.findByRole("alertdialog", { name: "Remove Wiki?" });
    expect(dialog.textContent).toContain("What people have approved of it, their sign-ins to it");
    await act(async () => within(dialog).getByRole("button", { name: "Remove" }).click());
    expect(sent()).toEqual([[`DELETE ${LIST}/wiki`, undefined]]);
    expect(screen.getByText("Wiki is removed.")).toBeTruthy();
  });

  test("a server is switched off by its menu", async () => {
    const sent = await open([wiki], { answers: { [`PATCH ${LIST}/wiki`]: saved({ ...wiki, isEnabled: false }) } });
    await chooseInMenu("Wiki", "Switch off");
    expect(sent()).toEqual([[`PATCH ${LIST}/wiki`, { isEnabled: false }]]);
    expect(within(card("Wiki")).getByText("Off")).toBeTruthy();
  });

  test("a server of the file can be tested, but not changed", async () => {
    const fixed = { ...wiki, isFixed: true, url: null, headers: [] };
    const sent = await open([fixed], {
      answers: { [`POST ${LIST}/wiki/tools`]: saved(fixed, { ...works, host: "" }) },
    });
    expect(within(card("Wiki")).getByText("A program beside this server")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Edit Wiki" })).toBeNull();
    await press("Tools: Wiki");
    expect(screen.queryByRole("radio")).toBeNull();
    await press("Test Wiki");
    expect(sent()).toEqual([[`POST ${LIST}/wiki/tools`, undefined]]);
    expect(screen.getByText("The program answers and has 2 tools.")).toBeTruthy();
  });

  test("every failure has a sentence of its own, also the last one of a server that is away", async () => {
    const silent = { ...wiki, state: "away", failure: { code: "refused", at: 1 }, tools: [] } as const;
    const failures = [
      ...mcpFailures.map((code) => ({ code })),
      ...mcpFaults.map((reason) => ({ code: "unreachable", reason })),
    ];
    const results = failures.map((failure) =>
      saved({ ...silent, tools: [] }, { ok: false, host: "wiki.example.org", ...failure }),
    );
    await open([{ ...silent, tools: [] }], { answers: { [`POST ${LIST}/wiki/tools`]: results } });
    expect(within(card("Wiki")).getByText("Does not work")).toBeTruthy();
    expect(
      within(card("Wiki")).getByText(
        "wiki.example.org refuses the headers. Check the key in them, and enter them again.",
      ),
    ).toBeTruthy();
    const sentences = new Set<string | null>();
    for (const { code } of failures) {
      await press("Test Wiki");
      const role = code === "sign-in" ? "status" : "alert";
      sentences.add(within(card("Wiki")).getByRole(role).textContent);
    }
    expect(sentences.size).toBe(failures.length);
  });

  test("an administrator reads servers and their tools, and changes nothing", async () => {
    await open([wiki], { role: "administrator" });
    expect(screen.getByText("Owners add and change servers.")).toBeTruthy();
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).not.toContain("Add a server");
    await press("Tools: Wiki");
    expect(within(card("Wiki")).getByText("Can change and delete")).toBeTruthy();
    expect(screen.queryByRole("checkbox")).toBeNull();
    expect(screen.queryByRole("switch")).toBeNull();
  });
});

describe("people's own MCP servers", () => {
  test("an owner lets people add servers, and sees only the hosts of those that they have", async () => {
    const answers = { [`PATCH ${SETTINGS}`]: settingsWith(own("on", "database")) };
    const sent = await open([], { ownHosts: [{ host: "mcp.example.net", people: 2, calls: 5 }], answers });
    const control = screen.getByRole("switch", { name: "People may add their own MCP servers", checked: false });
    await act(async () => control.click());
    expect(sent()).toEqual([[`PATCH ${SETTINGS}`, { ownToolServers: "on" }]]);
    expect(screen.getByText("People may add their own MCP servers now.")).toBeTruthy();
    const hosts = screen.getByRole("list", { name: "Where they are" });
    expect(hosts.textContent).toBe("mcp.example.net2 people · 5 calls in 30 days");
  });

  test("the environment fixes whether people may add servers", async () => {
    await open([], { answers: { [`GET ${SETTINGS}`]: settingsWith(own("on", "environment")) } });
    expect(screen.getByText(/^People may add their own MCP servers: MCP_OWN_SERVERS/)).toBeTruthy();
    expect(screen.queryByRole("switch")).toBeNull();
  });
});
