import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { newId } from "../../database/new-id.ts";
import type { FileStore } from "../../files/stores/file-store.ts";
import { AttachedIntake } from "./attached-intake.ts";

const key = newId();
const pieces = Array.from({ length: 5 }, () => randomBytes(256 * 1024));
const whole = Buffer.concat(pieces);
const sha256 = createHash("sha256").update(whole).digest("hex");
const end = { key, size: whole.length, sha256 };
const diskFull = new Error("disk full");

/** A store of one file, whose put is given. `stored`: what it has. */
function storeWith(put: (bytes: AsyncIterable<Uint8Array>, stored: Uint8Array[]) => Promise<void>) {
  const stored: Uint8Array[] = [];
  const store: FileStore = {
    put: async (_key, bytes) => {
      await put(bytes, stored);
      return Buffer.concat(stored).length;
    },
    open: async function* () {
      yield* stored;
    },
    delete: async () => undefined,
    list: async function* () {},
    sizeOf: async () => undefined,
    removeLeftovers: async () => undefined,
  };
  return { store, stored };
}

/** Passes all pieces, then the end, to an intake. */
async function takeAll(intake: AttachedIntake): Promise<void> {
  for (const bytes of pieces) await intake.add({ key, bytes });
  await intake.end(end);
}

it("an intake stores a file whose pieces arrive one by one", async () => {
  const { store, stored } = storeWith(async (bytes, kept) => {
    for await (const piece of bytes) kept.push(piece);
  });
  const intake = new AttachedIntake(store);
  await takeAll(intake);
  expect([Buffer.concat(stored).equals(whole), [...intake.keys]]).toEqual([true, [key]]);
});

it("an intake without a store collects keys only", async () => {
  const intake = new AttachedIntake(undefined);
  await takeAll(intake);
  expect([...intake.keys]).toEqual([key]);
});

it("an intake reports the error of a store that fails before it reads, or between two pieces", async () => {
  const failing = [
    storeWith(() => Promise.reject(diskFull)),
    storeWith(async (bytes) => {
      for await (const _ of bytes) throw diskFull;
    }),
  ];
  for (const { store } of failing) {
    const intake = new AttachedIntake(store);
    await expect(takeAll(intake)).rejects.toBe(diskFull);
    await intake.abort();
    expect(intake.keys.size).toBe(0);
  }
});

it("an intake that is aborted fails the put of an incomplete file", async () => {
  let failure: unknown;
  const { store } = storeWith(async (bytes) => {
    try {
      for await (const _ of bytes);
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  const intake = new AttachedIntake(store);
  await intake.add({ key, bytes: Buffer.from("half") });
  await intake.abort();
  expect(failure).toMatchObject({ message: "The backup was not read to its end" });
});

it("an intake refuses a file that is stored with other bytes", async () => {
  const { store } = storeWith(async (bytes, kept) => {
    for await (const piece of bytes) kept.push(piece.subarray(1));
  });
  await expect(takeAll(new AttachedIntake(store))).rejects.toThrow("is stored wrongly");
});
