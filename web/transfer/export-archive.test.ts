import { describe, expect, test } from "vitest";
import type { FileRefusal } from "#contract/transfer/archive/file-refusal.ts";
import { type ExportArchive, openArchive } from "#contract/transfer/own/export-archive.ts";
import { recordsOf, withField, withZip64End, zipOf } from "../testing/zip-files.ts";
import { joinBlob } from "./browser-target.ts";

const [FIRST, SECOND] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const CHATS = '{"chats":[]}';
const blobOf = (zip: Uint8Array) => new Blob([new Uint8Array(zip)]);
const open = (zip: Uint8Array) => openArchive(blobOf(zip), joinBlob);
const chatsOf = async ({ chats }: ExportArchive<Blob>) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of chats.open()) pieces.push(piece);
  return new TextDecoder().decode(new Uint8Array(pieces.flatMap((piece) => [...piece])));
};
const fileOf = async ({ files }: ExportArchive<Blob>, id = FIRST) => (await files.get(id)?.read())?.text();
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    ({ reason }: FileRefusal) => reason,
  );

describe("the archive of an export", () => {
  test("an archive of an export has chats and files, stored or compressed", async () => {
    const archive = await open(
      zipOf({
        "chats.json": CHATS,
        [`files/${FIRST}-a ü.txt`]: "Stored",
        [`files/${SECOND}-b.txt`]: { deflated: "Compressed ".repeat(100) },
      }),
    );
    expect(await chatsOf(archive)).toBe(CHATS);
    expect(archive.chats.size).toBe(CHATS.length);
    expect([...archive.files].map(([id, { size }]) => [id, size])).toEqual([
      [FIRST, 6],
      [SECOND, 1100],
    ]);
    expect(await fileOf(archive)).toBe("Stored");
    expect(await fileOf(archive, SECOND)).toBe("Compressed ".repeat(100));
  });

  test("an archive of an export may have compressed chats, and may be packed again in a folder", async () => {
    const archive = await open(
      zipOf({
        "__MACOSX/Parley/._chats.json": "Metadata",
        "Parley/deeper/chats.json": "{}",
        "Parley/chats.json": { deflated: CHATS },
        [`Parley/files/${FIRST}-a.txt`]: "Own",
        [`files/${SECOND}-b.txt`]: "Outside",
      }),
    );
    expect(await chatsOf(archive)).toBe(CHATS);
    expect([...archive.files.keys()]).toEqual([FIRST]);
  });

  test("an archive of an export may have ZIP64 records, and a comment that looks like its end", async () => {
    const zip = zipOf({ "chats.json": CHATS, [`files/${FIRST}`]: "Own" });
    expect(await fileOf(await open(withZip64End(zip)))).toBe("Own");
    const comment = new Uint8Array([0x50, 0x4b, 0x05, 0x06, ...new Uint8Array(30)]);
    const commented = withField(zip, "end", { at: 20, size: 2, value: comment.length });
    expect(await fileOf(await open(new Uint8Array([...commented, ...comment])))).toBe("Own");
  });

  test("an archive without chats is refused as no export", async () => {
    expect(await reasonOf(open(zipOf({ "a/b/chats.json": CHATS, "my-chats.json": CHATS })))).toBe("not-an-export");
  });

  test("M5 an archive's names with paths, other ids, and second entries of an id are ignored", async () => {
    const names = [
      `files/${FIRST}/../../x`,
      `../files/${FIRST}-a`,
      `/files/${FIRST}-a`,
      `files/../${FIRST}`,
      `files/${FIRST.toUpperCase().replace("0", "G")}-a`,
      "files/a.txt",
      `files\\${FIRST}-a`,
    ];
    const others = Object.fromEntries(names.map((name) => [name, "Hostile"]));
    const archive = await open(
      zipOf({ "chats.json": CHATS, ...others, [`files/${SECOND}-a`]: "1", [`files/${SECOND}-b`]: "2" }),
    );
    expect([...archive.files.keys()]).toEqual([SECOND]);
    expect(await fileOf(archive, SECOND)).toBe("1");
  });
});

const STORED = zipOf({ "chats.json": CHATS, [`files/${FIRST}`]: "Stored bytes" });
const DEFLATED = zipOf({ "chats.json": CHATS, [`files/${FIRST}`]: { deflated: "Compressed ".repeat(100) } });
/** Fields of the second entry, the file. */
const [METHOD, CRC, COMPRESSED, SIZE, POSITION] = [10, 16, 20, 24, 42];
const changed = (zip: Uint8Array, at: number, value: number, size: 2 | 4 = 4) =>
  withField(zip, "entry", { index: 1, at, size, value });

describe("M4 damaged or hostile archives", () => {
  test.each<[string, Uint8Array]>([
    ["is cut", STORED.slice(0, -30)],
    ["is only a beginning", STORED.slice(0, 4)],
    ["has something behind its end", new Uint8Array([...STORED, 0])],
    ["has more entries than records", withField(STORED, "end", { at: 10, size: 2, value: 3 })],
    ["has a directory beyond its end", withField(STORED, "end", { at: 16, size: 4, value: 0x7fff_ffff })],
    ["has a directory that is none", withField(STORED, "end", { at: 16, size: 4, value: 0 })],
    ["has an entry whose name is cut", withField(STORED, "entry", { index: 1, at: 28, size: 2, value: 0xfff0 })],
    ["has entries that overlap", changed(changed(STORED, COMPRESSED, 1000), SIZE, 1000)],
    ["has a ZIP64 locator without a record", withField(STORED, "end", { at: 16, size: 4, value: 0xffff_ffff })],
    ["has a ZIP64 record with too large a number", withZip64End(STORED, 2n ** 63n)],
  ])("an archive that %s is refused", async (_what, zip) => {
    expect(await reasonOf(open(zip))).toBe("broken-archive");
  });

  test.each<[string, Uint8Array]>([
    ["other bytes", withField(STORED, "header", { index: 1, at: 30 + 42, size: 4, value: 7 })],
    ["another sum", changed(STORED, CRC, 7)],
    ["a position without a header", changed(STORED, POSITION, 3)],
    ["a position beyond the end", changed(STORED, POSITION, 0x7fff_ffff)],
    ["fewer bytes than the directory says", changed(DEFLATED, SIZE, 1101)],
    ["more bytes than the directory says", changed(DEFLATED, SIZE, 1000)],
    ["two sizes of stored bytes", changed(STORED, SIZE, 11)],
    ["an encryption", changed(STORED, 8, 1, 2)],
    ["another method", changed(DEFLATED, METHOD, 14, 2)],
    ["bytes that cannot be inflated", changed(STORED, METHOD, 8, 2)],
  ])("an archive whose file has %s yields the chats without it", async (_what, zip) => {
    const archive = await open(zip);
    expect(await chatsOf(archive)).toBe(CHATS);
    expect(await reasonOf(fileOf(archive))).toBe("broken-archive");
  });

  test("an archive with bytes missing in the middle is refused while the chats are read", async () => {
    const zip = withField(STORED, "header", { at: 30 + 10, size: 4, value: 7 });
    expect(await reasonOf(open(zip).then(chatsOf))).toBe("broken-archive");
  });

  test("an archive with too many entries is refused before they are read", async () => {
    const zip = withZip64End(STORED);
    const view = new DataView(zip.buffer);
    view.setBigUint64((recordsOf(STORED, "end")[0] ?? 0) + 32, 100_001n, true);
    expect(await reasonOf(open(zip))).toBe("archive-too-complex");
  });

  test("an archive is refused if a file inflates to more than 200 times its size, before it is inflated", async () => {
    const bomb = new Uint8Array(3_000_000);
    const archive = await open(zipOf({ "chats.json": CHATS, [`files/${FIRST}`]: { deflated: bomb } }));
    expect(await reasonOf(fileOf(archive))).toBe("archive-too-complex");
    const chats = await open(zipOf({ "chats.json": { deflated: bomb } }));
    expect(await reasonOf(chatsOf(chats))).toBe("archive-too-complex");
  });

  test("an archive's entry yields no more bytes than it declares", async () => {
    const bomb = zipOf({ "chats.json": { deflated: new Uint8Array(3_000_000) } });
    const { chats } = await open(withField(bomb, "entry", { at: SIZE, size: 4, value: 1000 }));
    let length = 0;
    const read = async () => {
      for await (const piece of chats.open()) length += piece.length;
    };
    expect(await reasonOf(read())).toBe("broken-archive");
    expect(length).toBeLessThanOrEqual(1000);
  });

  test("an archive with too many inflated bytes is refused", async () => {
    expect(await reasonOf(open(changed(DEFLATED, SIZE, 4_000_000_001)))).toBe("archive-too-complex");
  });
});
