import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type FormEvent, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedToolGroup, ToolServer } from "#contract/conversation/tools.ts";
import { forgetSession, signIn } from "../../accounts/session/session.ts";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { toolGroupsQuery } from "./tool-groups-query.ts";
import { ToolsField } from "./tools-field.tsx";

const server = (name: string, more: Partial<ToolServer> = {}): ListedToolGroup => ({
  slug: name.toLowerCase(),
  server: {
    ...{ id: name, name, host: `${name.toLowerCase()}.example`, isOwn: false, state: "ready", leftOut: 0 },
    tools: [{ name: "list_teas", title: "List teas", effect: "read" }],
    ...more,
  },
});

beforeEach(() => {
  localStorage.clear();
  Element.prototype.scrollIntoView = () => {};
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
});
afterEach(() => {
  cleanup();
  toolGroupsQuery.clear();
  forgetSession();
  vi.unstubAllGlobals();
});

type FieldOfPresetProps = { first: string[] | null; onChange: (value: string[] | null) => void; onSubmit: () => void };

function FieldOfPreset({ first, onChange, onSubmit }: FieldOfPresetProps) {
  const [value, setValue] = useState(first);
  const change = (next: string[] | null) => {
    onChange(next);
    setValue(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <ToolsField value={value} onChange={change} />
    </form>
  );
}

/** Shows the field of a preset with these tools. */
async function open(answer: ListedToolGroup[] | FakeAnswer, first: string[] | null = null) {
  fakeApi({ "GET /tools": Array.isArray(answer) ? { json: { groups: answer } } : answer });
  const onChange = vi.fn();
  const onSubmit = vi.fn();
  render(<FieldOfPreset first={first} onChange={onChange} onSubmit={onSubmit} />);
  await act(() => toolGroupsQuery.load());
  return { onChange, onSubmit };
}

const field = () => screen.getByRole("group", { name: "Tools" });
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

test("a preset explains a server before it is chosen for the first time, and says what it can do", async () => {
  const { onChange, onSubmit } = await open([server("Tea")]);
  await press("What it can do: Tea");
  expect(field().textContent).toContain("Only readsList teas");
  fireEvent.click(box("Tea"));
  expect(screen.getByRole("group", { name: "Switch on Tea?" }).textContent).toContain("It is at tea.example");
  expect(onChange).not.toHaveBeenCalled();
  await press("Switch on");
  fireEvent.click(box("Tea"));
  expect(onChange.mock.calls).toEqual([[["tea"]], [null]]);
  expect(onSubmit).not.toHaveBeenCalled();
});

test.each([
  ["away", "Does not answer now"],
  ["empty", "Has no tools"],
  ["connect", "Needs a sign-in"],
] as const)("a preset shows that its server is in the state “%s”", async (state, words) => {
  await open([server("Tea", { state, tools: [] })], ["tea"]);
  expect(box("Tea").checked).toBe(true);
  expect(field().textContent).toContain(`tea.example · ${words}`);
  expect(screen.queryAllByRole("button", { name: "Sign in to Tea" })).toHaveLength(state === "connect" ? 1 : 0);
});

test("a preset says that its server is gone or of other people, until it is removed from the preset", async () => {
  const { onChange } = await open([server("Tea")], ["coffee", "tea"]);
  expect(field().textContent).toContain("coffeeRemoved, or not for you. Answers do without it.");
  fireEvent.click(box("coffee"));
  expect(onChange.mock.calls).toEqual([[["tea"]]]);
  expect(screen.queryByText(/^Removed/)).toBeNull();
});

test("many servers of a preset are searched, and Enter in the search does not save the preset", async () => {
  const many = Array.from({ length: 9 }, (_, index) => server(`Server${index}`));
  const { onSubmit } = await open(many);
  const search = screen.getByRole("searchbox", { name: "Search tools" });
  fireEvent.change(search, { target: { value: "server3" } });
  expect(screen.getAllByRole("checkbox")).toEqual([box("Server3")]);
  expect(fireEvent.keyDown(search, { key: "Enter" })).toBe(false);
  expect(onSubmit).not.toHaveBeenCalled();
});

test("the tools of a preset are not called unavailable when the list of tools cannot be read", async () => {
  const { onChange } = await open({ status: 503, text: "" }, ["tea"]);
  expect(screen.getByText("The tools could not be read. Those of the preset stay as they are.")).toBeTruthy();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(onChange).not.toHaveBeenCalled();
});
