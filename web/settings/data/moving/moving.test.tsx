import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { chatgptChat } from "../../../testing/chatgpt-files.ts";
import { type FakeAnswer, problem } from "../../../testing/fakes/fake-api.ts";
import { eachTestAlone, openSettings, press } from "../../../testing/open-settings.tsx";

eachTestAlone();

type Answers = Record<string, FakeAnswer | readonly FakeAnswer[]>;
type Outcome = "imported" | "skipped" | "deleted" | "refused";

/** Answers a request like the server: with an outcome for each of its chats, the last one for the rest. */
const answerWith =
  (outcomes: readonly Outcome[], problems: readonly unknown[] = []): FakeAnswer =>
  ({ body }) => {
    const all = titlesOf(body).map((_, at) => outcomes[at] ?? outcomes.at(-1));
    const count = (outcome: Outcome) => all.filter((each) => each === outcome).length;
    const [imported, skipped, deleted] = [count("imported"), count("skipped"), count("deleted")];
    return Response.json({ imported, skipped, deleted, folders: 0, presets: 0, problems, outcomes: all });
  };
const section = () => within(screen.getByRole("region", { name: "Import" }));

const takeAll = answerWith(["imported"]);

/** Opens the page and chooses a file. Returns the live list of calls that change data. */
async function choose(content: unknown, imports: FakeAnswer | readonly FakeAnswer[] = takeAll, more: Answers = {}) {
  const sent = await openSettings("data", {
    "GET /chat-history?archived=true&limit=50": { json: [] },
    "GET /folders": { json: [{ id: "f", name: "Garden" }] },
    "POST /import": imports,
    ...more,
  });
  const input = document.querySelector("input[type=file]");
  if (!input) throw new Error("No input");
  const files = [new File([JSON.stringify(content)], "conversations.json")];
  await act(async () => fireEvent.change(input, { target: { files } }));
  return sent;
}

const three = [
  chatgptChat({ id: "a", title: "Apples", at: 1_700_000_000 }),
  chatgptChat({ id: "b", title: "Bees", at: 1_700_100_000 }),
  chatgptChat({ id: "c", title: "Clover", at: 1_700_200_000 }),
];

const previewed = () => section().findByRole("heading", { name: "Import from ChatGPT" });
const ended = (name = "The import is finished") => section().findByRole("heading", { name });
const lines = () => section().getAllByRole<HTMLInputElement>("checkbox", { name: /message/ });
const titlesOf = (body: unknown): string[] => Object(body).chats.map(({ title }: { title: string }) => title);
const countOf = (label: string) => section().getByText(label, { selector: "dt" }).nextElementSibling?.textContent;

/** Returns the numbers of the table of fates, the total last. */
function fates(): number[] {
  const rows = within(section().getByRole("table", { name: "Every entry of the file" })).getAllByRole("row");
  return rows.map((row) => Number(within(row).getByRole("cell").textContent));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

test("a file of ChatGPT is previewed before anything is sent, and then its chosen chats are imported", async () => {
  const sent = await choose(three);
  const heading = await previewed();
  expect(document.activeElement).toBe(heading);
  expect([countOf("Chats"), countOf("Messages"), countOf("Last active")]).toEqual([
    "3",
    "6",
    expect.stringMatching(/2023/),
  ]);
  expect(lines().map(({ checked }) => checked)).toEqual([true, true, true]);
  expect(sent()).toEqual([]);
  fireEvent.click(section().getByRole("checkbox", { name: /Bees/ }));
  fireEvent.input(section().getByLabelText("Folder (optional)"), { target: { value: " Garden " } });
  await press("Import 2 chats");
  const finished = await ended();
  expect(document.activeElement).toBe(finished);
  expect(sent().flatMap(([, body]) => titlesOf(body))).toEqual(["Apples", "Clover"]);
  expect(sent()[0]?.[1]).toMatchObject({ folders: [{ name: "Garden" }] });
  expect(countOf("Imported chats")).toBe("2");
});

test("the fates in the report of an import add up to the entries of the file", async () => {
  await choose(three);
  await previewed();
  fireEvent.click(section().getByRole("checkbox", { name: /Bees/ }));
  await press("Import 2 chats");
  await ended();
  const numbers = fates();
  expect(numbers.at(-1)).toBe(12);
  expect(sum(numbers.slice(0, -1))).toBe(12);
  expect(section().getByRole("row", { name: /In chats that you did not choose/ }).textContent).toMatch(/4$/);
});

test("the search of the preview finds titles, and All and None choose what it has found", async () => {
  await choose(three);
  await previewed();
  await press("None");
  expect(section().getByText("0 of 3 chosen")).toBeTruthy();
  expect(section().getByRole<HTMLButtonElement>("button", { name: "Import 0 chats" }).disabled).toBe(true);
  fireEvent.input(section().getByLabelText("Search titles"), { target: { value: "CLO" } });
  await vi.waitFor(() => expect(lines()).toHaveLength(1));
  await press("All");
  expect(section().getByText("1 of 3 chosen")).toBeTruthy();
  fireEvent.input(section().getByLabelText("Search titles"), { target: { value: "nothing" } });
  await section().findByText("No title matches.");
});

test("a preview of many chats renders some of them, and more on request with the focus on the first new one", async () => {
  const many = Array.from({ length: 250 }, (_, at) => chatgptChat({ id: `c${at}`, title: `Chat ${at}` }));
  await choose(many);
  await previewed();
  expect(lines()).toHaveLength(100);
  expect(section().getByText("250 of 250 chosen")).toBeTruthy();
  await press("Show more");
  expect(lines()).toHaveLength(200);
  expect(document.activeElement).toBe(lines()[100]);
});

test("a cancelled preview sends nothing and returns the focus to the section", async () => {
  const sent = await choose(three);
  await previewed();
  await press("Cancel");
  expect(section().getByRole("button", { name: "Choose a file" })).toBeTruthy();
  expect(document.activeElement).toBe(section().getByRole("heading", { name: "Import" }));
  expect(sent()).toEqual([]);
});

test.each([true, false])("custom instructions are imported only by choice: %s", async (isChosen) => {
  const sent = await choose([chatgptChat({ id: "a", title: "Apples", instructions: "Be brief." })]);
  await previewed();
  const box = section().getByRole<HTMLInputElement>("checkbox", { name: "Import my custom instructions" });
  expect(box.checked).toBe(false);
  if (isChosen) fireEvent.click(box);
  await press("Import 1 chat");
  await ended();
  expect(JSON.stringify(sent()).includes("Be brief.")).toBe(isChosen);
});

test("chats keep the folders of their service by choice, and those without a name are numbered", async () => {
  const [apples, bees, clover] = three;
  const sent = await choose([{ ...apples, gizmo_id: "g-p-1" }, { ...bees, gizmo_id: "g-p-2" }, clover]);
  await previewed();
  const box = section().getByRole<HTMLInputElement>("checkbox", { name: "Keep the folders and projects of ChatGPT" });
  expect(box.checked).toBe(false);
  fireEvent.click(box);
  fireEvent.input(section().getByLabelText("Folder (optional)"), { target: { value: "Project 2" } });
  await press("Import 3 chats");
  await ended();
  const { folders, chats } = Object(sent()[0]?.[1]);
  const names = new Map(folders.map(({ id, name }: { id: string; name: string }) => [id, name]));
  expect(chats.map(({ folder }: { folder: string }) => names.get(folder))).toEqual([
    "Project 1",
    "Project 2",
    "Project 2",
  ]);
  expect(folders).toHaveLength(2);
});

test("a file without folders does not offer to keep them", async () => {
  await choose(three);
  await previewed();
  expect(section().queryByRole("checkbox", { name: /Keep the folders/ })).toBeNull();
});

test("a file without custom instructions does not offer to import them", async () => {
  await choose(three);
  await previewed();
  expect(section().queryByRole("checkbox", { name: "Import my custom instructions" })).toBeNull();
});

test("chats that were deleted here stay deleted, and are imported again on request", async () => {
  const sent = await choose(three, [answerWith(["imported", "imported", "deleted"]), takeAll]);
  await previewed();
  await press("Import 3 chats");
  await ended();
  expect(countOf("Chats that you deleted here before")).toBe("1");
  await press("Import deleted chats again");
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  await ended();
  expect(sent().map(([, body]) => Object(body).again ?? false)).toEqual([false, true]);
  expect(section().queryByRole("button", { name: "Import deleted chats again" })).toBeNull();
});

test("an import that fails shows the reason and what was reached, and goes on with the same choice", async () => {
  const sent = await choose(three, [problem(507, "storage-full"), takeAll]);
  await previewed();
  fireEvent.click(section().getByRole("checkbox", { name: /Bees/ }));
  await press("Import 2 chats");
  await ended("The import could not be finished");
  expect(section().getByRole("alert").textContent).toContain("The chats imported so far are kept.");
  const numbers = fates();
  expect(sum(numbers.slice(0, -1))).toBe(numbers.at(-1));
  expect(section().getByRole("row", { name: /Not reached/ })).toBeTruthy();
  await press("Continue");
  await ended();
  expect(titlesOf(sent().at(-1)?.[1])).toEqual(["Apples", "Clover"]);
});

test("an import that is stopped says so and can be continued", async () => {
  const never: FakeAnswer = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  await choose(three, [never, takeAll]);
  await previewed();
  await press("Import 3 chats");
  await press("Stop");
  await ended("The import was stopped");
  await press("Continue");
  await ended();
  expect(countOf("Imported chats")).toBe("3");
});

test("the storage of the account is read again after an import", async () => {
  const storage = (bytes: number) => ({ json: { bytes, maxBytes: 1e9, maxChatBytes: 1.6e7, largest: [] } });
  await choose(three, takeAll, { "GET /storage": [storage(1000), storage(3_000_000)] });
  await previewed();
  const stored = within(screen.getByRole("region", { name: "Storage" }));
  expect(stored.getByRole("progressbar").getAttribute("value")).toBe("1000");
  await press("Import 3 chats");
  await ended();
  await vi.waitFor(() => expect(stored.getByRole("progressbar").getAttribute("value")).toBe("3000000"));
});

test("the report is saved as a text file with its reasons in full", async () => {
  const problems = Array.from({ length: 30 }, (_, at) => ({ chat: `Chat ${at}`, reason: "too-large" }));
  await choose(three, answerWith(["imported", "imported", "refused"], problems));
  await previewed();
  await press("Import 3 chats");
  await ended();
  const saved: Blob[] = [];
  vi.stubGlobal("URL", {
    createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`,
    revokeObjectURL: () => {},
  });
  await press("Download report");
  const text = (await saved[0]?.text()) ?? "";
  expect(text).toMatch(/^Import from ChatGPT, .+\nFile: conversations\.json\nThe import is finished\n/);
  expect(text).toContain("Imported chats: 2\n");
  expect(text).toContain("Total: 12\n");
  expect(text).toContain("- Chat 29: it is too large\n");
});

test("the section tells on request how to get the export of each service", async () => {
  await openSettings("data", { "GET /chat-history?archived=true&limit=50": { json: [] } });
  await press("How to get your history");
  const terms = await section().findAllByRole("term");
  expect(terms.map(({ textContent }) => textContent)).toEqual(["ChatGPT", "Claude", "Open WebUI", "LibreChat"]);
  await press("How to get your history");
  expect(section().queryAllByRole("term")).toEqual([]);
});
