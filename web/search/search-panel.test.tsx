import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { Dialog } from "radix-ui";
import { afterEach, expect, test, vi } from "vitest";
import type { SearchHit } from "#contract/conversation/search.ts";
import { type FakeAnswer, fakeApi, problem } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import type { PaletteEntries, PaletteEntry } from "./palette-entry.ts";
import { SearchPanel } from "./search-panel.tsx";
import { SearchRun } from "./search-run.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const at = new Date(2020, 4, 3).getTime();
const message = (chatId: string, messageId: string, snippet: string, marks: [number, number][]): SearchHit => {
  return { chatId, title: `Chat ${chatId}`, messageId, role: "assistant", model: null, at, snippet, marks };
};
const title = (chatId: string): SearchHit => ({
  ...message(chatId, "", `Chat ${chatId}`, [[0, 4]]),
  messageId: null,
  role: null,
});
const fileOf = (id: string, name: string, mime = "application/pdf") => ({ id, name, type: mime });
const marksOf = (...mark: [number, number]) => [mark];
const hits = [title("a"), message("b", "b1", "a <b>chat</b>", [[5, 9]]), message("a", "a1", "chat", [[0, 4]])];

async function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>, typed = "", palette?: PaletteEntries) {
  const onChoose = vi.fn();
  const calls = fakeApi(answers);
  render(
    <Dialog.Root open>
      <Dialog.Content aria-describedby={undefined}>
        <Dialog.Title>Search</Dialog.Title>
        <SearchPanel
          run={new SearchRun(typed)}
          folders={[{ id: "f1", name: "Birds" }]}
          onChoose={onChoose}
          {...(palette && { palette })}
        />
      </Dialog.Content>
    </Dialog.Root>,
  );
  return { onChoose, calls };
}

const field = () => screen.getByRole("combobox", { name: "Search" });
const type = (value: string) => fireEvent.input(field(), { target: { value } });
const press = (key: string) => fireEvent.keyDown(field(), { key });
const active = () => document.getElementById(field().getAttribute("aria-activedescendant") ?? "")?.textContent;

test("the search groups hits by chats, marked, as text and never as markup", async () => {
  await open({ "GET /search?q=chat": { json: { hits, next: null } } });
  type("chat");
  const list = await screen.findByRole("listbox");
  expect(
    within(list)
      .getAllByRole("group")
      .map((group) => group.getAttribute("aria-label")),
  ).toEqual(["Chat a", "Chat b"]);
  expect(
    within(list)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["Chat: Chat a", "ServerMay 3, 2020chat", "ServerMay 3, 2020a <b>chat</b>"]);
  expect([...list.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual(["Chat", "chat", "chat"]);
  expect(screen.getByRole("status").textContent).toBe("3 results");
});

test("the search shows the name of a found file with its matches, and each file as an option of its own", async () => {
  const found = message("a", "a1", "Ice and moraine", [[8, 15]]);
  const report = {
    ...found,
    role: "user" as const,
    file: { ...fileOf("f1", "moraine-map.pdf"), marks: marksOf(0, 7) },
  };
  const picture = {
    ...report,
    snippet: "",
    marks: [],
    file: { ...fileOf("f2", "moraine.png", "image/png"), marks: [] },
  };
  const { onChoose } = await open({
    "GET /search?q=moraine": { json: { hits: [found, report, picture], next: null } },
  });
  type("moraine");
  const list = await screen.findByRole("listbox");
  const options = within(list).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "ServerMay 3, 2020Ice and moraine",
    "YouMay 3, 2020File: moraine-map.pdfIce and moraine",
    "YouMay 3, 2020File: moraine.png",
  ]);
  expect(new Set(options.map(({ id }) => id)).size).toBe(3);
  expect([...list.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual([
    "moraine",
    "moraine",
    "moraine",
  ]);
  press("ArrowDown");
  press("ArrowDown");
  press("Enter");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(picture);
});

test("arrow keys move through the hits while the field keeps the focus, and Enter chooses", async () => {
  const { onChoose } = await open({ "GET /search?q=chat": { json: { hits, next: null } } });
  type("chat");
  await screen.findByRole("listbox");
  expect(active()).toBe("Chat: Chat a");
  press("ArrowDown");
  expect(active()).toContain("ServerMay 3, 2020chat");
  press("ArrowUp");
  press("ArrowUp");
  expect(active()).toBe("Chat: Chat a");
  press("PageDown");
  press("Enter");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(hits[1]);
  fireEvent.click(screen.getByText("Chat", { selector: "mark" }));
  expect(onChoose).toHaveBeenLastCalledWith(hits[0]);
});

test("the search reports an empty result, and offers a retry after a failure", async () => {
  await open({
    "GET /search?q=none": { json: { hits: [], next: null } },
    "GET /search?q=broken": [problem(503, "unavailable"), { json: { hits, next: null } }],
  });
  expect(screen.getByText(/Searches your messages/)).toBeTruthy();
  type("none");
  expect((await screen.findAllByText("Nothing was found for “none”.")).length).toBe(2);
  type("broken");
  expect(await screen.findByText(/The search did not work\. The service is not available/)).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Try again" })));
  expect(await screen.findByRole("listbox")).toBeTruthy();
});

test("the search runs again with each filter, and offers the available folders and models", async () => {
  const { calls } = await open({
    "GET /search?q=chat": { json: { hits, next: null } },
    "GET /search?q=chat&folder=f1": { json: { hits: [hits[1]], next: null } },
    "GET /models": { json: [{ label: "GPT", models: [{ label: "gpt-5", value: "GPT:gpt-5", available: true }] }] },
  });
  type("chat");
  await screen.findByRole("listbox");
  fireEvent.click(screen.getByRole("button", { name: "Filters" }));
  fireEvent.change(await screen.findByLabelText("Folder"), { target: { value: "f1" } });
  expect(await within(screen.getByLabelText("Model")).findByText("gpt-5")).toBeTruthy();
  await waitFor(() => expect(within(screen.getByRole("listbox")).getAllByRole("option")).toHaveLength(1));
  fireEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(within(screen.getByRole("listbox")).getAllByRole("option")).toHaveLength(3));
  expect(calls.filter(({ path }) => path.startsWith("/search"))).toHaveLength(3);
});

const entry = (id: string, more: Partial<PaletteEntry> = {}): PaletteEntry => {
  return { id, label: id, group: "Chat", icon: null, choose: vi.fn(), ...more };
};
const offer = (...entries: PaletteEntry[]): PaletteEntries => {
  return { entriesFor: () => entries, chats: [], recentLabel: "Recent", scope: null };
};

test("Enter during a search for newer text chooses one of its hits", async () => {
  const fresh = message("c", "c1", "chats", [[0, 5]]);
  const held = Promise.withResolvers<void>();
  const { onChoose } = await open({
    "GET /search?q=chat": { json: { hits, next: null } },
    "GET /search?q=chats": async () => {
      await held.promise;
      return Response.json({ hits: [fresh], next: null });
    },
  });
  type("chat");
  await screen.findByRole("listbox");
  type("chats");
  press("Enter");
  expect(onChoose).not.toHaveBeenCalled();
  held.resolve();
  await waitFor(() => expect(onChoose).toHaveBeenCalledExactlyOnceWith(fresh));
});

test("Enter during a search for newer text chooses nothing if the search fails", async () => {
  const { onChoose } = await open({
    "GET /search?q=chat": { json: { hits, next: null } },
    "GET /search?q=chats": problem(500, "internal"),
  });
  type("chat");
  await screen.findByRole("listbox");
  type("chats");
  press("Enter");
  await screen.findByRole("alert");
  expect(onChoose).not.toHaveBeenCalled();
});

test("Enter runs no drastic action that was not stepped to, neither before the hits arrive nor after", async () => {
  const drastic = entry("Delete this chat", { isDanger: true, isDrastic: true });
  const answers = { "GET /search?q=chat": { json: { hits, next: null } } };
  const { onChoose } = await open(answers, "", offer(drastic));
  type("chat");
  expect(screen.getByRole("option", { name: drastic.label })).toBeTruthy();
  expect(active()).toBeUndefined();
  press("Enter");
  await screen.findByText("Chat", { selector: "mark" });
  expect(active()).toBe("Chat: Chat a");
  press("Enter");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(hits[0]);
  expect(drastic.choose).not.toHaveBeenCalled();
  press("ArrowUp");
  expect(active()).toBe(drastic.label);
  press("Enter");
  expect(drastic.choose).toHaveBeenCalledOnce();
});

test("Enter runs an action that is not drastic at once, even after a drastic one", async () => {
  const [drastic, mild] = [entry("Log out", { isDrastic: true }), entry("Look")];
  await open({ "GET /search?q=lo": { json: { hits: [], next: null } } }, "", offer(drastic, mild));
  type("lo");
  press("Enter");
  expect(mild.choose).toHaveBeenCalledOnce();
  expect(drastic.choose).not.toHaveBeenCalled();
});

test("the search marks the current choice not only by colour but by text", async () => {
  await open({}, "", offer(entry("Light"), entry("Dark", { isChosen: true })));
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["Light", "DarkSelected"]);
});

test("the search counts actions together with hits", async () => {
  await open({ "GET /search?q=chat": { json: { hits, next: null } } }, "chat", offer(entry("Rename the chat")));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("4 results"));
  expect(field().getAttribute("aria-controls")).toBe(screen.getByRole("listbox").id);
});

test("the search reports choices without a match as empty, and references no list that does not exist", async () => {
  const choices = (query: string) =>
    ["Dark", "Light"].filter((name) => name.startsWith(query)).map((name) => entry(name));
  const scope = { label: "Theme", isStep: true, onBack: () => {} };
  const { calls } = await open({}, "", { ...offer(), entriesFor: choices, scope });
  expect(screen.getByRole("status").textContent).toBe("");
  type("Da");
  expect(screen.getByRole("status").textContent).toBe("1 result");
  type("Dx");
  expect(screen.getAllByText("Nothing was found for “Dx”.")).toHaveLength(2);
  expect(screen.queryByText(/Searches your messages/)).toBeNull();
  expect(field().getAttribute("aria-controls")).toBeNull();
  expect(calls).toEqual([]);
});

test("a pinned chat among the recent ones of the search has a mark with a name", async () => {
  const chat = { id: "a", title: "Chat a", createdAt: at, updatedAt: at };
  const chats = [
    { ...chat, isPinned: true },
    { ...chat, id: "b", title: "Chat b" },
  ];
  await open({}, "", { entriesFor: () => [], chats, recentLabel: "Recent", scope: null });
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Chat aPinned$/),
    expect.stringMatching(/Chat b$/),
  ]);
});
