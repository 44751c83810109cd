import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { OWN_SERVERS_MAX } from "#contract/mcp/own-servers.ts";
import { mcpFailures, mcpFaults } from "#contract/mcp/server-failures.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import {
  closed,
  LIST,
  listOf,
  openToolServers,
  provided,
  row,
  serversRegion,
  shop,
  signedIn,
  statusTexts,
  unreachableShop,
  url,
} from "../../testing/fakes/open-tool-servers.tsx";
import { eachTestAlone, field, noteOf, openSettings, press, type } from "../../testing/open-settings.tsx";

const leave = vi.hoisted(() => vi.fn());
vi.mock("../../accounts/session/leave-for-url.ts", () => ({ leaveForUrl: leave }));

eachTestAlone();

describe("the list of tool servers", () => {
  test("without servers, a person who may add one learns what it is, and how", async () => {
    await openToolServers([]);
    expect(within(serversRegion()).getByText(/^A server with the Model Context Protocol/)).toBeTruthy();
    expect(within(serversRegion()).getByText(/its tools appear in the tools menu/)).toBeTruthy();
    expect(within(serversRegion()).getByRole("button", { name: "Add a server" })).toBeTruthy();
  });

  test("where own servers are not allowed and there is none to sign in to, the page has no section of servers", async () => {
    await openToolServers([], {}, false);
    expect(screen.queryByRole("region", { name: "MCP servers" })).toBeNull();
  });

  test("a server shows its address, its state, its tools, and since when the person is signed in where", async () => {
    await openToolServers([signedIn, provided]);
    const own = row("Shop").textContent;
    expect(own).toContain(url);
    for (const fact of ["Ready", "2 tools", "Listed 5 minutes ago", "Signed in 1 hour ago at id.example.org"])
      expect(own).toContain(fact);
    expect(row("Wiki").textContent).toContain("wiki.example.org · provided for you");
    expect(within(row("Wiki")).queryByRole("button", { name: "Edit Wiki" })).toBeNull();
  });

  test("the tools of a server are listed by what they may do", async () => {
    await openToolServers([shop]);
    await press("What it can do: Shop");
    expect(row("Shop").textContent).toMatch(/Only readsFind goods.*May change or deletebuy/);
  });

  test.each(mcpFailures)("a server that failed by “%s” says why and what to do", async (failure) => {
    await openToolServers([{ ...unreachableShop, failure }]);
    expect(row("Shop").textContent).toContain("Does not work");
    expect(within(row("Shop")).getByText(/^(The (answer|list of tools) of )?shop\.example\.org/)).toBeTruthy();
  });

  test("a server that others provide advises to ask an administrator if it does not work", async () => {
    await openToolServers([{ ...provided, state: "away", failure: "refused" }]);
    expect(within(row("Wiki")).getByText(/please tell an administrator/)).toBeTruthy();
    expect(within(row("Wiki")).getByRole("button", { name: "Try again: Wiki" })).toBeTruthy();
  });

  test("servers without tools, and those that were never asked, say so", async () => {
    const { listedAt: _, ...unasked } = { ...shop, id: "s2", name: "Club", state: "empty" as const, tools: [] };
    await openToolServers([{ ...shop, state: "empty", tools: [] }, unasked]);
    expect(within(row("Shop")).getByText("It answers, but has no tools. Check the address.")).toBeTruthy();
    expect(row("Club").textContent).toContain("Not asked yet");
  });

  test("while own servers are not allowed, present ones are off and can be renamed and removed only", async () => {
    const sent = await openToolServers(
      [{ ...shop, isOn: false }],
      { [`PATCH ${LIST}/s1`]: { json: { ...shop, isOn: false, name: "Tea" } } },
      false,
    );
    expect(within(serversRegion()).getByText(/^Your own servers are off/)).toBeTruthy();
    expect(row("Shop").textContent).toContain("Off");
    expect(screen.queryByRole("button", { name: "Add a server" })).toBeNull();
    await press("Edit Shop");
    expect(screen.queryByLabelText("Address")).toBeNull();
    type("Name", "Tea");
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/s1`, { name: "Tea" }]]);
    await act(async () => void fireEvent.keyDown(screen.getByRole("button", { name: "More: Tea" }), { key: "Enter" }));
    const items = await screen.findAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual(["Remove"]);
  });

  test("a list that cannot be read can be read again, and the approvals are shown meanwhile", async () => {
    await openToolServers([], { [`GET ${LIST}`]: [problem(503, "unavailable"), listOf([shop])] });
    await act(async () => fireEvent.click(within(serversRegion()).getByRole("button", { name: "Try again" })));
    expect(row("Shop")).toBeTruthy();
  });

  test("the page says that it is loading until the servers are known", async () => {
    await openSettings("tools", {
      [`GET ${LIST}`]: () => new Promise(() => {}),
      "GET /tools/approvals": { json: { approvals: [] } },
    });
    expect(statusTexts()).toContain("Loading…");
    expect(screen.queryByText("Every tool asks")).toBeNull();
  });
});

async function add(name: string, address: string): Promise<void> {
  await press("Add a server");
  type("Name", name);
  type("Address", address);
  await press("Add");
}

describe("adding a tool server", () => {
  test("a server is added with its number of tools, and takes the focus", async () => {
    const sent = await openToolServers([], { [`POST ${LIST}`]: { status: 201, json: shop } });
    await press("Add a server");
    await waitFor(() => expect(document.activeElement).toBe(field("Name")));
    type("Name", "Shop");
    type("Address", ` ${url} `);
    await press("Add");
    expect(sent()).toEqual([[`POST ${LIST}`, { name: "Shop", url }]]);
    expect(statusTexts()).toContain("Shop is added. Shop has 2 tools.");
    expect(document.activeElement).toBe(row("Shop"));
  });

  test("own servers precede those of others, also a new one", async () => {
    await openToolServers([provided], { [`POST ${LIST}`]: { status: 201, json: shop } });
    await add("Shop", url);
    const names = within(screen.getByRole("list", { name: "Your MCP servers" })).getAllByRole("heading");
    expect(names.map(({ textContent }) => textContent)).toEqual(["Shop", "Wiki"]);
  });

  test("a server that needs a sign-in leads to it", async () => {
    await openToolServers([], {
      [`POST ${LIST}`]: { status: 201, json: closed },
      [`POST ${LIST}/s1/sign-in`]: { json: { address: "https://id.example.org/authorize" } },
    });
    await add("Shop", url);
    expect(statusTexts()).toContain("Shop is added. Shop needs your sign-in.");
    expect(within(row("Shop")).getByText("Sign in, and your chats can use its tools.")).toBeTruthy();
    await press("Sign in to Shop");
    expect(leave).toHaveBeenCalledWith("https://id.example.org/authorize");
  });

  test.each(mcpFaults)(
    "a server that is unreachable by “%s” says why, also after the list was read again",
    async (reason) => {
      await openToolServers([], {
        [`GET ${LIST}`]: [listOf([]), listOf([unreachableShop])],
        [`POST ${LIST}`]: { json: { ...unreachableShop, reason } },
      });
      await add("Shop", url);
      expect(statusTexts()).toContain("Shop is added. Shop does not work yet.");
      const sentence = () => row("Shop").querySelector("p.text-danger")?.textContent;
      const first = sentence();
      expect(first).toContain("shop.example.org");
      await act(async () => void window.dispatchEvent(new Event("online")));
      expect(sentence()).toBe(first);
    },
  );

  test.each([
    ["npx -y @example/server", /^That is a program or a file/],
    ["shop.example.org/mcp", /^Enter the whole address/],
    ["http://shop.example.org/mcp", /^Only addresses that begin with https/],
    ["https://ada:secret@shop.example.org/mcp", /^Remove the name and the password/],
    [`${url}#part`, /^Remove the part of the address/],
    ["", /^Address is required$/],
  ])("the address “%s” is refused with a sentence that says why", async (address, sentence) => {
    const sent = await openToolServers([]);
    await add("Shop", address);
    expect(noteOf("Address")).toMatch(sentence);
    expect(document.activeElement).toBe(field("Address"));
    expect(sent()).toEqual([]);
  });

  test("an address that the server refuses is marked, and a limit is named", async () => {
    const issues = [{ field: "url", rule: "invalid", message: "Address is not valid" }];
    await openToolServers([], {
      [`POST ${LIST}`]: [problem(400, "invalid-input", { issues }), problem(409, "too-many-tool-servers")],
    });
    await add("Shop", "https://169.254.169.254/mcp");
    expect(noteOf("Address")).toBe("Address is not valid");
    type("Address", url);
    await press("Add");
    expect(screen.getByRole("alert").textContent).toContain("You have reached the limit of servers.");
  });

  test("a person with all servers that are possible is advised to remove one", async () => {
    const all = Array.from({ length: OWN_SERVERS_MAX }, (_, index) => ({
      ...shop,
      id: `s${index}`,
      name: `S${index}`,
    }));
    await openToolServers([...all, provided]);
    expect(screen.getByText("You can have 20 servers. Remove one to add another.")).toBeTruthy();
    await press("Add a server");
    expect(screen.queryByLabelText("Address")).toBeNull();
  });

  test("a form that is cancelled returns the focus to its button", async () => {
    await openToolServers([shop]);
    await press("Add a server");
    await press("Cancel");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add a server" }));
  });
});
