import { describe, expect, it } from "vitest";
import { GIF_TRAILER, gifExtension, gifHeader, gifPixel } from "../../../testing/files/picture-encoders.ts";
import { METADATA_MARKER } from "../../../testing/files/pictures.ts";
import { strippedPicture } from "../../../testing/files/stripped-picture.ts";

const strip = (...parts: Buffer[]) => strippedPicture(Buffer.concat(parts), "image/gif");
const header = gifHeader(3, 2);
const control = (delay: number) => gifExtension(0xf9, Buffer.from([1, delay, 0, 0]));
const comment = gifExtension(0xfe, METADATA_MARKER, METADATA_MARKER);
const plainText = gifExtension(0x01, Buffer.alloc(12), METADATA_MARKER);
const loop = Buffer.from([1, 0, 0]);

describe("GIFs", () => {
  it.each(["NETSCAPE2.0", "ANIMEXTS1.0"])(
    "a GIF keeps the number of loops of %s, and no other sub-block",
    async (id) => {
      const clean = Buffer.concat([header, gifExtension(0xff, id, loop), gifPixel(), GIF_TRAILER]);
      expect((await strip(clean)).pieces).toEqual([{ from: 0, to: clean.length }]);
      const longer = gifExtension(0xff, id, loop, METADATA_MARKER);
      expect((await strip(header, longer, gifPixel(), GIF_TRAILER)).bytes.equals(clean)).toBe(true);
    },
  );

  it("M2 a GIF loses other extensions of applications, also those that begin like loops", async () => {
    const others = [
      gifExtension(0xff, "XMP DataXMP", METADATA_MARKER),
      gifExtension(0xff, "ICCRGBG1012", METADATA_MARKER),
      gifExtension(0xff, "NETSCAPE2.0", Buffer.from([2, 0, 0, 0, 1]), METADATA_MARKER),
      gifExtension(0xff, "NETSCAPE2.0"),
      gifExtension(0xff, "NETSCAPE2.0 and more", loop),
      gifExtension(0xff, "NETSCAPE2.0\x03\x01", loop),
      gifExtension(0x77, "NETSCAPE2.0", loop, METADATA_MARKER),
      gifExtension(0xff),
    ];
    const stored = await strip(header, ...others, gifPixel(), ...others, GIF_TRAILER);
    expect(stored.bytes.equals(Buffer.concat([header, gifPixel(), GIF_TRAILER]))).toBe(true);
  });

  it("M2 a GIF loses comments and plain texts, and each image keeps the control that precedes it", async () => {
    const stored = await strip(
      ...[header, control(1), comment, gifPixel(), control(2), plainText, gifPixel()],
      ...[control(3), control(4), gifPixel(), gifPixel(), control(5), comment, GIF_TRAILER, comment],
    );
    const clean = [header, control(1), gifPixel(), gifPixel(), control(4), gifPixel(), gifPixel(), GIF_TRAILER];
    expect(stored.bytes.equals(Buffer.concat(clean))).toBe(true);
  });

  it("M2 a GIF loses sub-blocks of a control that are no part of it", async () => {
    const longer = gifExtension(0xf9, Buffer.from([1, 7, 0, 0]), METADATA_MARKER);
    const stored = await strip(header, longer, gifPixel(), GIF_TRAILER);
    expect(stored.bytes.equals(Buffer.concat([header, control(7), gifPixel(), GIF_TRAILER]))).toBe(true);
  });

  it("a GIF is animated if it has several images", async () => {
    expect(await strip(header, control(1), gifPixel(), GIF_TRAILER)).not.toHaveProperty("isAnimated");
    expect(await strip(header, gifPixel(), comment, gifPixel(), GIF_TRAILER)).toMatchObject({ isAnimated: true });
  });

  it("a GIF of 1987, without colour tables, is kept", async () => {
    const screen = Buffer.from("GIF87a\x03\0\x02\0\0\0\0", "latin1");
    const image = Buffer.from(",\0\0\0\0\x01\0\x01\0\0\x02\x02\x4c\x01\0", "latin1");
    const file = Buffer.concat([screen, image, GIF_TRAILER]);
    expect(await strip(file)).toMatchObject({ bytes: file, width: 3, height: 2 });
  });

  it("a GIF keeps colour tables of all sizes", async () => {
    for (const size of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const flags = Buffer.from([0x80 + size]);
      const colours = Buffer.alloc(3 * 2 ** (size + 1), ";");
      const start = Buffer.concat([header.subarray(0, 10), flags, header.subarray(11, 13), colours]);
      const image = Buffer.concat([gifPixel().subarray(0, 9), flags, colours, gifPixel().subarray(16)]);
      const stored = await strip(start, image, comment, image, GIF_TRAILER);
      expect(stored.bytes.equals(Buffer.concat([start, image, image, GIF_TRAILER]))).toBe(true);
    }
  });

  it("the first image of a GIF is inside its dimensions, as in browsers, others perhaps not", async () => {
    await expect(strip(header, gifPixel(4, 0), GIF_TRAILER)).resolves.toMatchObject({ width: 5, height: 2 });
    const second = strip(header, gifPixel(), gifPixel(4, 9), GIF_TRAILER);
    await expect(second).resolves.toMatchObject({ width: 3, height: 2 });
  });

  const longControl = gifExtension(0xf9, Buffer.from([1, 7, 0, 0, 1, 0]));
  const broken: Record<string, Buffer[]> = {
    "another signature": [Buffer.from("GIF88a"), header.subarray(6), gifPixel(), GIF_TRAILER],
    "no image": [header, control(1), GIF_TRAILER],
    "no trailer": [header, gifPixel()],
    "an unknown block": [header, gifPixel(), Buffer.from([0]), GIF_TRAILER],
    "a control of another size": [header, longControl, gifPixel(), GIF_TRAILER],
    "a colour table that ends after the file": [
      header.subarray(0, 10),
      Buffer.from([0x87, 0, 0]),
      gifPixel(),
      GIF_TRAILER,
    ],
  };
  it.each(Object.entries(broken))("a GIF with %s is broken", async (_, parts) => {
    await expect(strip(...parts)).rejects.toMatchObject({ reason: "broken" });
  });
});
