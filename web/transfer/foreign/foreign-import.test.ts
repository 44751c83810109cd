import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { API_BASE } from "#contract/http.ts";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ForeignChoice } from "#contract/transfer/services/chosen-chats.ts";
import {
  type ExportedChat,
  type ImportOutcome,
  type ImportRequest,
  importSchema,
} from "#contract/transfer/transfer.ts";
import { FakeFiles, plainTransport } from "../../testing/fakes/fake-files.ts";
import { zipOf } from "../../testing/zip-files.ts";
import { importForeign, survey } from "./foreign-import.ts";

let requests: (Omit<ImportRequest, "chats"> & { chats: ExportedChat[] })[] = [];
let outcomes: ImportOutcome[] = [];
let files = new FakeFiles();
beforeEach(() => {
  requests = [];
  outcomes = [];
  files = new FakeFiles();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    if (url !== `${API_BASE}${transferPaths.import}`) return files.fetch(url, init);
    const request = JSON.parse(String(init.body));
    requests.push(request);
    const made = request.chats.map((): ImportOutcome => outcomes.shift() ?? "imported");
    const count = (outcome: ImportOutcome) => made.filter((one: ImportOutcome) => one === outcome).length;
    const counts = { imported: count("imported"), skipped: count("skipped"), deleted: count("deleted") };
    return Response.json({ ...counts, outcomes: made, folders: 0, presets: 0, problems: [] });
  });
});
afterEach(() => vi.unstubAllGlobals());

const node = (id: string, parent: string | null, role: string, content: object) => ({
  [id]: {
    id,
    parent,
    children: [],
    message: { id, author: { role }, create_time: 1_700_000_000.5, content, metadata: {} },
  },
});
const words = (text: string) => ({ content_type: "text", parts: [text] });
const picture = { content_type: "image_asset_pointer", asset_pointer: "file-service://file-Abc1", width: 1, height: 1 };
const lost = { ...picture, asset_pointer: "file-service://file-Lost" };

/** A chat of ChatGPT of four nodes: an empty root, a question with a picture or two, and an answer of two nodes. */
const chatOf = (id: string, parts: object[] = [picture]) => ({
  ...{ conversation_id: id, title: `Chat ${id}`, create_time: 1_700_000_000, update_time: 1_700_000_100 },
  current_node: "b",
  mapping: {
    root: { id: "root", parent: null, children: [], message: null },
    ...node("q", "root", "user", { content_type: "multimodal_text", parts: [...parts, "What is this?"] }),
    ...node("a", "q", "assistant", words("A fjord,")),
    ...node("b", "a", "assistant", words("in Norway.")),
  },
});
const zip = (entries: Record<string, string>) => new Blob([new Uint8Array(zipOf(entries))]);
const signal = new AbortController().signal;
const all = { folder: "", again: false, instructions: false };

async function take(file: Blob, positions: number[], more: Partial<ForeignChoice> = {}) {
  const surveyed = await survey(file, signal, () => {});
  const shares: number[] = [];
  const choice = { ...all, ...more, positions: new Set(positions) };
  const report = await importForeign(surveyed, choice, signal, (share) => shares.push(share), plainTransport);
  return { surveyed, report, shares };
}

describe("exports of other services", () => {
  it("an archive is surveyed without sending anything", async () => {
    const chats = [chatOf("one", [picture, lost]), { mapping: 7 }, chatOf("two", [])];
    const file = zip({
      "a/conversations.json": JSON.stringify(chats),
      "a/file-Abc1-cat.png": "bytes",
      "user.json": "{}",
    });
    const surveyed = await survey(file, signal, () => {});
    expect(surveyed).toMatchObject({
      ...{ service: "chatgpt", files: 2, missingFiles: 1, brokenChats: 1, nodes: 8 },
      fates: { message: 4, part: 2, file: 0, hidden: 2, unreadable: 0 },
    });
    expect(surveyed.chats.map(({ position, title, messages }) => [position, title, messages])).toEqual([
      [1, "Chat one", 2],
      [3, "Chat two", 2],
    ]);
    expect([requests, files.log]).toEqual([[], []]);
  });

  it("the chosen chats are imported with their files, and the receipt counts every node", async () => {
    const texts = [JSON.stringify([chatOf("one")]), JSON.stringify([chatOf("two", []), chatOf("three", [])])];
    const file = zip({
      "conversations-000.json": texts[0] ?? "",
      "conversations-001.json": texts[1] ?? "",
      "file-Abc1-cat.png": "bytes",
      "file-Unused.png": "other",
    });
    outcomes = ["imported", "skipped"];
    const { report, shares } = await take(file, [1, 3], { folder: "From ChatGPT", again: true });
    expect(report).toMatchObject({ nodes: 12, notChosen: 4, notImported: 4, files: 1, imported: 1, skipped: 1 });
    expect(report.fates).toEqual({ message: 2, part: 1, file: 0, hidden: 1, unreadable: 0 });
    expect([...files.stored.values()].map(({ name }) => name)).toHaveLength(1);
    const sent = requests.flatMap(({ chats }) => chats);
    expect(sent.map(({ title, origin, folder }) => [title, origin?.id, folder])).toEqual([
      ["Chat one", "one", "target"],
      ["Chat three", "three", "target"],
    ]);
    expect(requests[0]).toMatchObject({ again: true, folders: [{ id: "target", name: "From ChatGPT" }] });
    expect(shares.at(-1)).toBe(1);
  });

  it("custom instructions that are longer than those of accounts are cut, and do not hinder the import", async () => {
    const context = {
      content_type: "user_editable_context",
      user_profile: "",
      user_instructions: "Long. ".repeat(2000),
    };
    const { mapping, ...chat } = chatOf("one", []);
    const given = { ...chat, mapping: { ...mapping, ...node("i", "root", "user", context) } };
    await take(new Blob([JSON.stringify([given])]), [1], { instructions: true });
    expect(importSchema.parse(requests[0]).account?.instructions).toHaveLength(INSTRUCTIONS_MAX);
  });

  it("a file has the same id in each import, so that it is uploaded and named once", async () => {
    const file = zip({ "conversations.json": JSON.stringify([chatOf("one")]), "file-Abc1.png": "bytes" });
    await take(file, [1]);
    await take(file, [1]);
    expect(files.stored.size).toBe(1);
  });

  it("a list that ends in the middle is imported as far as it goes, and the rest is counted", async () => {
    const whole = JSON.stringify([chatOf("one", []), chatOf("two", [])]);
    const { surveyed, report } = await take(new Blob([whole.slice(0, -40)]), [1]);
    expect([surveyed.brokenChats, report.imported]).toEqual([1, 1]);
  });

  it("one chat that cannot be converted costs no other", async () => {
    const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const odd = JSON.stringify(chatOf("deep", [])).replace('"What is this?"', `"What?",${deep}`);
    const surveyed = await survey(new Blob([`[${odd},${JSON.stringify(chatOf("two", []))}]`]), signal, () => {});
    expect(surveyed.chats.map(({ title }) => title)).toContain("Chat two");
    expect(surveyed.chats.length + surveyed.brokenChats).toBe(2);
  });

  it("files of JSON that chats name are not taken for the list of chats", async () => {
    const file = zip({
      "conversations.json": JSON.stringify([chatOf("one", [])]),
      "attachments/a-file-Abc.json": JSON.stringify([{ uuid: "u", name: "Other", chat_messages: [] }]),
      "file-Def.json": JSON.stringify([chatOf("stranger", [])]),
    });
    const surveyed = await survey(file, signal, () => {});
    expect([surveyed.service, surveyed.chats.map(({ title }) => title)]).toEqual(["chatgpt", ["Chat one"]]);
  });

  it("a picture is found by its whole id", async () => {
    const file = zip({ "conversations.json": JSON.stringify([chatOf("one")]), "file-Abc12.png": "another" });
    expect(await survey(file, signal, () => {})).toMatchObject({ files: 1, missingFiles: 1 });
  });

  it("a list of chats within an object is read, as Chatbot UI exports it", async () => {
    const chat = { id: "b", name: "Boats", messages: [{ role: "user", content: "Hi" }], folderId: null };
    const surveyed = await survey(
      new Blob([JSON.stringify({ version: 4, history: [chat], folders: [] })]),
      signal,
      () => {},
    );
    expect([surveyed.service, surveyed.chats.map(({ title }) => title)]).toEqual(["librechat", ["Boats"]]);
  });

  const claudeArchive = () => {
    const chat = {
      uuid: "c",
      name: "Boats",
      project_uuid: "p",
      chat_messages: [{ uuid: "1", sender: "human", text: "Hi" }],
    };
    const project = {
      uuid: "p",
      name: "Trip",
      prompt_template: "Be brief.",
      docs: [{ filename: "a.md", content: "A" }],
    };
    return zip({
      "conversations.json": JSON.stringify([chat, { ...chat, uuid: "d", project_uuid: null }]),
      "projects.json": JSON.stringify([project, { uuid: "q", name: "Empty", prompt_template: "", docs: [] }, null]),
      "projects/r.json": JSON.stringify({ uuid: "r", name: "New", prompt_template: "Rhyme.", docs: [{}, {}] }),
    });
  };

  it("the projects of Claude are surveyed with their chats, instructions and documents", async () => {
    const surveyed = await survey(claudeArchive(), signal, () => {});
    expect(surveyed.folders.filter(({ id }) => id !== "q")).toEqual([
      { id: "p", name: "Trip", instructions: "Be brief.", documents: 1, chats: 1 },
      { id: "r", name: "New", instructions: "Rhyme.", documents: 2, chats: 0 },
    ]);
  });

  it("projects become folders and presets only by choice, and the report counts what is left out", async () => {
    const without = await take(claudeArchive(), [1, 2]);
    expect(without.report.projects).toEqual({ instructions: 2, documents: 3 });
    expect(JSON.stringify(requests)).not.toMatch(/Be brief|Trip/);
    requests = [];
    const choice = { folder: "Other", folderNames: new Map([["p", "Trip"]]), projectPresets: true };
    const { report } = await take(claudeArchive(), [1, 2], choice);
    expect(report.projects).toEqual({ instructions: 0, documents: 3 });
    const { folders = [], presets = [], chats = [] } = { ...requests[0] };
    const filed = chats.map(({ folder, preset }) => [
      folders.find(({ id }) => id === folder)?.name,
      presets.find(({ id }) => id === preset)?.instructions,
    ]);
    expect(filed).toEqual([
      ["Trip", "Be brief."],
      ["Other", undefined],
    ]);
    expect(presets.map(({ name }) => name)).toEqual(["Trip", "New"]);
    expect(importSchema.safeParse(requests[0]).error).toBeUndefined();
  });

  it.each([
    ["not-an-export", new Blob(["# hi"])],
    ["not-an-export", new Blob(["{}"])],
    ["not-an-export", new Blob([JSON.stringify([{ a: 1 }])])],
    ["not-an-export", zip({ "a.json": "[]" })],
    ["broken-archive", zip({ "conversations.json": "[]" }).slice(0, 50)],
  ])("a file of no service is refused: %s", async (reason, file) => {
    await expect(survey(file, signal, () => {})).rejects.toMatchObject({ reason });
  });
});
