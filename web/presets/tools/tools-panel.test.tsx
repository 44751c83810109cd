import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedToolGroup, ToolServer } from "#contract/conversation/tools.ts";
import { forgetSession, signIn } from "../../accounts/session/session.ts";
import { ada, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { catchLeaving } from "../../testing/leaving.ts";
import { clearNotifications, currentNotifications } from "../../ui/notifications/notify.ts";
import { listTools, withSwitched } from "./tool-choice.ts";
import { toolGroupsQuery } from "./tool-groups-query.ts";
import ToolsPanel from "./tools-panel.tsx";

const shop = (more: Partial<ToolServer> = {}): ListedToolGroup => ({
  slug: "shop",
  server: {
    ...{ id: "s1", name: "Tea shop", host: "tea.example", isOwn: false, state: "ready", leftOut: 0 },
    tools: [
      { name: "list_teas", title: "List teas", effect: "read" },
      { name: "buy", effect: "change" },
    ],
    ...more,
  },
});

beforeEach(() => {
  localStorage.clear();
  Element.prototype.scrollIntoView = () => {};
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
});
afterEach(() => {
  cleanup();
  clearNotifications();
  toolGroupsQuery.clear();
  forgetSession();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type PanelProps = { groups: ListedToolGroup[]; chosen: string[]; onChange: (slugs: string[]) => void };

function Panel({ groups, chosen, onChange }: PanelProps) {
  const [slugs, setSlugs] = useState(chosen);
  const listed = listTools(groups, slugs);
  const onSwitch = (slug: string) => {
    const next = withSwitched(listed, slug);
    onChange(next);
    setSlugs(next);
  };
  return <ToolsPanel groups={listed} onSwitch={onSwitch} trigger={<button type="button">Tools</button>} />;
}

async function open(groups: ListedToolGroup[], chosen: string[] = [], answers: Parameters<typeof fakeApi>[0] = {}) {
  const calls = fakeApi({ "GET /tools": { json: { groups } }, ...answers });
  await toolGroupsQuery.load();
  const switched: string[][] = [];
  render(
    <MemoryRouter>
      <Panel groups={groups} chosen={chosen} onChange={(slugs) => switched.push(slugs)} />
    </MemoryRouter>,
  );
  await screen.findByRole("dialog", { name: "Tools" });
  return { switched, calls };
}
const box = (name: RegExp | string) => screen.getByRole("checkbox", { name });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

test("a server is explained before its first use, and only then", async () => {
  const { switched } = await open([{ slug: "web" }, shop()]);
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  fireEvent.click(box("Tea shop"));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Switch on" }));
  await vi.waitFor(() => expect(scrolled).toHaveBeenCalledWith({ block: "nearest" }));
  const text = screen.getByRole("group", { name: "Switch on Tea shop?" }).textContent;
  expect(text).toContain("It is at tea.example, and may be run by others.");
  expect(text).toContain("It receives what the assistant writes for a call.");
  expect(text).toContain("Only readsList teasMay change or deletebuy");
  expect(text).toContain("Each call asks you first");
  await press("Cancel");
  expect([switched, document.activeElement]).toEqual([[], box("Tea shop")]);
  fireEvent.click(box("Tea shop"));
  await press("Switch on");
  expect(switched).toEqual([["shop"]]);
  fireEvent.click(box("Tea shop"));
  fireEvent.click(box("Tea shop"));
  expect(switched).toEqual([["shop"], [], ["shop"]]);
});

test("a server whose tools may do something else since is explained again", async () => {
  await open([shop()]);
  fireEvent.click(box("Tea shop"));
  await press("Switch on");
  cleanup();
  const changed = await open([shop({ tools: [{ name: "list_teas", effect: "change" }] })]);
  fireEvent.click(box("Tea shop"));
  expect(changed.switched).toEqual([]);
  screen.getByRole("group", { name: "Switch on Tea shop?" });
});

test("a server says what it can do by effect, and that tools were left out", async () => {
  await open([shop({ leftOut: 1200 })]);
  expect(screen.queryByText("Only reads")).toBeNull();
  await press("What it can do: Tea shop");
  screen.getByText("Only reads");
  screen.getByText("Left out, because there are too many tools: 1,200");
});

test.each([
  ["away", "Does not answer now"],
  ["empty", "Has no tools"],
  ["connect", "Needs a sign-in"],
] as const)("a server in the state “%s” says so and can be chosen", async (state, words) => {
  const { switched } = await open([shop({ state, tools: [], isOwn: true })]);
  expect(box("Tea shop").getAttribute("aria-describedby")).toBeTruthy();
  screen.getByText(new RegExp(words));
  screen.getByText(/Added by you/);
  fireEvent.click(box("Tea shop"));
  await press("Switch on");
  expect(switched).toEqual([["shop"]]);
});

test("a server that needs a sign-in leads to its address", async () => {
  const addresses = catchLeaving();
  await open([shop({ state: "connect" })], [], {
    "POST /mcp/servers/s1/sign-in": { json: { address: "https://login.example/authorize" } },
  });
  await press("Sign in to Tea shop");
  await vi.waitFor(() => expect(addresses).toEqual(["https://login.example/authorize"]));
});

test("a sign-in that cannot be begun says so", async () => {
  await open([shop({ state: "connect" })], [], { "POST /mcp/servers/s1/sign-in": problem(503, "unavailable") });
  await press("Sign in to Tea shop");
  await vi.waitFor(() => expect(currentNotifications()).toHaveLength(1));
});

test("the chosen ones of many groups are above the others until the panel is opened again", async () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ ...shop({ name: `Server ${index}` }), slug: `s${index}` }));
  await open(many, ["s4", "s7"]);
  const names = () => screen.getAllByRole("checkbox").map((each) => each.closest("label")?.textContent);
  expect(names().slice(0, 4)).toEqual(["Server 4", "Server 7", "Server 0", "Server 1"]);
  fireEvent.click(box("Server 4"));
  expect(names().slice(0, 4)).toEqual(["Server 4", "Server 7", "Server 0", "Server 1"]);
});

test("many groups can be searched by their names and their tools", async () => {
  const others = Array.from({ length: 8 }, (_, index) => ({
    slug: `s${index}`,
    server: shop({ id: `s${index}`, name: `Server ${index}`, tools: [] }).server,
  }));
  await open([shop(), ...others]);
  expect(screen.getAllByRole("checkbox")).toHaveLength(9);
  const field = screen.getByRole("searchbox", { name: "Search tools" });
  fireEvent.change(field, { target: { value: "list TEAS" } });
  expect(screen.getAllByRole("checkbox")).toEqual([box("Tea shop")]);
  fireEvent.change(field, { target: { value: "coffee" } });
  expect(within(screen.getByRole("dialog")).queryAllByRole("checkbox")).toEqual([]);
  screen.getByText("No tools match.");
});
