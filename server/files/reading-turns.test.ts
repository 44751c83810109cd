import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SECOND } from "#contract/limits.ts";
import { bufferSource } from "../../testing/files/buffer-source.ts";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { taggedPictures } from "../../testing/files/pictures.ts";
import { Failure } from "../failure.ts";
import { AttachmentReader, type AttachmentReaderDeps } from "./attachment-reader.ts";
import type { ByteSource } from "./byte-source.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Limits = AttachmentReaderDeps["limits"];
const noLimits: Limits = { check: async () => undefined, add: async () => undefined };
const settle = () => vi.advanceTimersByTimeAsync(0);
/** The address of a class, and another one. */
const [CLASS, HOME] = ["198.51.100.1", "203.0.113.7"];
const READ_MS = 10 * SECOND;

/** Starts a reader whose documents take 10 s each. `begun`: the accounts in the order in which documents are read. */
function startReader(limits = noLimits) {
  const begun: string[] = [];
  const accounts = new Map<ByteSource, string>();
  const documents = {
    read: async (source: ByteSource) => {
      begun.push(accounts.get(source) ?? "");
      await new Promise((resolve) => setTimeout(resolve, READ_MS));
      return { text: "Fine" };
    },
  };
  const reader = new AttachmentReader({ documents, limits });
  const read = async (network: string, account: string, name = "a.pdf", bytes: Uint8Array = pdfOf("Fine")) => {
    const flow = { network, account };
    const source = bufferSource(Buffer.from(bytes));
    accounts.set(source, account);
    return reader
      .run(flow, () => reader.read(source, { name, flow }))
      .then(
        ({ facts }) => facts.type,
        (error: unknown) => (error instanceof Failure ? error.code : String(error)),
      );
  };
  return { begun, read };
}

const flooding = ["1", "2", "3", "4", "5", "6", "7"];

it("K10 a flood of costly documents of seven accounts delays a neighbour by one document of each, and others by one", async () => {
  const { begun, read } = startReader();
  for (let count = 0; count < 3; count++) for (const account of flooding) void read(CLASS, account);
  await settle();
  void read(CLASS, "neighbour");
  void read(HOME, "other");
  await settle();
  await vi.advanceTimersByTimeAsync(45 * SECOND);
  // The person whose wait has timed out tries again, as the browser does.
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  void read(CLASS, "neighbour");
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(begun.indexOf("other")).toBeLessThanOrEqual(2);
  const before = begun.slice(0, begun.indexOf("neighbour"));
  for (const account of flooding) expect(before.filter((name) => name === account).length).toBeLessThanOrEqual(2);
  expect(begun).toContain("neighbour");
});

it("K10 a picture does not wait for documents", async () => {
  const { begun, read } = startReader();
  for (const account of flooding) void read(CLASS, account);
  const [picture] = taggedPictures();
  expect(await read(CLASS, "neighbour", "a.jpg", picture?.tagged)).toMatch(/^image\//);
  expect(begun).toEqual(["1"]);
});

it("M4 counts the seconds in which documents of an account are read, and refuses one beyond the limit before its turn", async () => {
  const added: [string, string, number][] = [];
  const limits: Limits = {
    check: async (name, account) => {
      if (added.filter(([, reader]) => reader === account).length >= 2)
        throw new Failure("too-many-requests", { retryAfterSeconds: 9 });
      expect(name).toBe("document-reading");
    },
    add: async (...count) => void added.push(count),
  };
  const { begun, read } = startReader(limits);
  const outcomes = ["ada", "ada", "ada", "eve"].map((account) => read(HOME, account));
  await vi.advanceTimersByTimeAsync(40 * SECOND);
  expect(await Promise.all(outcomes)).toEqual([
    "application/pdf",
    "application/pdf",
    "too-many-requests",
    "application/pdf",
  ]);
  expect(begun).toEqual(["ada", "eve", "ada"]);
  expect(added).toEqual([
    ["document-reading", "ada", 10],
    ["document-reading", "eve", 10],
    ["document-reading", "ada", 10],
  ]);
});
