import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { zipOf } from "../../../../testing/files/documents.ts";
import { BrokenDocument, TooComplex } from "../document-text.ts";
import { decodeXml, readZip } from "./zip-entries.ts";

const all = () => true;

/** Overwrites the size of the first entry in the directory of an archive. */
function claimSize(archive: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(archive);
  bytes.writeUInt32LE(size, bytes.indexOf(Buffer.from("PK\x01\x02")) + 24);
  return bytes;
}

describe("the archive reader", () => {
  it("inflates only the wanted entries of an archive", () => {
    const entries = readZip(zipOf({ a: "one", b: "two", "c/": "" }), (name) => name !== "b");
    expect([...entries].map(([name, bytes]) => [name, decodeXml(bytes)])).toEqual([["a", "one"]]);
  });

  it("M5 takes names with paths in an archive as names", () => {
    const names = ["../../up", "/etc/passwd", "C:\\boot", "a"];
    const entries = readZip(zipOf(Object.fromEntries(names.map((name) => [name, "x"]))), all);
    expect([...entries.keys()]).toEqual(names);
  });

  it("refuses an archive of more than 5,000 entries, wanted or not", () => {
    const archive = (count: number) =>
      zipOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, ""])));
    expect(() => readZip(archive(5001), () => false)).toThrow(TooComplex);
    expect(readZip(archive(5000), all).size).toBe(5000);
  });

  it("refuses a ratio above 200 in an entry of more than 1 MB that is wanted", () => {
    const bomb = zipSync({ a: strToU8("a".repeat(1_100_000)) });
    expect(() => readZip(bomb, all)).toThrow(TooComplex);
    expect(readZip(bomb, () => false).size).toBe(0);
    expect(readZip(zipSync({ a: strToU8("a".repeat(1_000_000)) }), all).size).toBe(1);
  });

  it("refuses entries of more than 100 MB together by their claimed sizes", () => {
    expect(() => readZip(claimSize(zipOf({ a: "x" }), 100_000_001), all)).toThrow(TooComplex);
    const half = new Uint8Array(51_000_000);
    expect(() => readZip(zipSync({ a: half, b: half }, { level: 0 }), all)).toThrow(TooComplex);
  });

  it("inflates no more than the claimed size of an entry", () => {
    const lying = claimSize(zipSync({ a: strToU8("a".repeat(50_000_000)) }), 100);
    expect(readZip(lying, all).get("a")).toHaveLength(100);
  });

  it("reports a damaged archive", () => {
    expect(() => readZip(strToU8("no archive"), all)).toThrow(BrokenDocument);
    expect(() => readZip(zipOf({ a: "x".repeat(1000) }).subarray(0, 60), all)).toThrow(BrokenDocument);
  });

  it("decodes XML in UTF-16", () => {
    const bytes = Buffer.from("\uFEFF<a>é</a>", "utf16le");
    expect(decodeXml(bytes)).toBe("<a>é</a>");
    expect(decodeXml(bytes.swap16())).toBe("<a>é</a>");
  });
});
