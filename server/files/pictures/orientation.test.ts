import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exifOf } from "../../../testing/files/pictures.ts";
import { displayed, orientationOf, orientationOnly } from "./orientation.ts";

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;

describe("the orientation in EXIF metadata", () => {
  it.each(orientations)("EXIF orientation %i is found in both byte orders, and among other entries", (orientation) => {
    expect(orientationOf(exifOf(orientation))).toBe(orientation);
    expect(orientationOf(orientationOnly(orientation))).toBe(orientation);
  });

  const upright = {
    "has no entry": exifOf(),
    "is 0": exifOf(0),
    "is 9": exifOf(9),
    "is a long integer": entryWith(3, 4),
    "has two values": entryWith(7, 2),
    "is in a directory outside the file": entryWith(-5, 200),
    "is in a directory that the file cuts": orientationOnly(6).subarray(0, 21),
    "is in a file of another kind": Buffer.from("MM\0+"),
    "is in an empty file": Buffer.alloc(0),
  };
  it.each(Object.entries(upright))("an EXIF orientation that %s counts as upright", (_, tiff) => {
    expect(orientationOf(tiff)).toBe(1);
  });

  it("an EXIF orientation is read from any bytes without an error", () => {
    const start = fc.constantFrom("II*\0", "MM\0*", "II*\0\x08\0\0\0\xff\xff", "MM\0*\0\0\0\x08\xff\xff");
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 80 }), (head, rest) => {
        expect(orientations).toContain(orientationOf(Buffer.concat([Buffer.from(head, "latin1"), rest])));
      }),
    );
  });

  it("EXIF orientations from 5 on exchange width and height", () => {
    const shapes = orientations.map((orientation) => displayed(3, 2, orientation).width);
    expect(shapes).toEqual([3, 3, 3, 3, 2, 2, 2, 2]);
  });
});

/** Returns metadata with orientation 6 and one other byte. @param at position after the start of the entry */
function entryWith(at: number, value: number): Buffer {
  const tiff = orientationOnly(6);
  tiff.writeUInt8(value, 10 + at);
  return tiff;
}
