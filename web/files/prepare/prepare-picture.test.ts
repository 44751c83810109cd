import { describe, expect, test } from "vitest";
import { type PictureCodec, preparePicture } from "./prepare-picture.ts";

type Fake = { width: number; height: number; isTransparent?: boolean; sizes: Record<string, number> };

/** A codec whose picture has these sizes in bytes by type; a type without one cannot be written. */
function codecOf(picture: Fake | null, isFaithful = true) {
  const encoded: string[] = [];
  let closed = 0;
  const codec: PictureCodec = {
    isFaithful: () => isFaithful,
    async decode() {
      if (!picture) throw new Error("Not a picture");
      const close = () => {
        closed += 1;
      };
      return { width: picture.width, height: picture.height, close };
    },
    hasAlpha: async () => picture?.isTransparent ?? false,
    async encode(_, { width, height }, type) {
      encoded.push(`${type} ${width}x${height}`);
      const size = picture?.sizes[type];
      return size === undefined ? null : new Blob(["x".repeat(size)], { type });
    },
  };
  return { codec, encoded, closed: () => closed };
}

const file = (name: string, type: string, size: number, head = "") => ({
  ...{ name, bytes: new Blob([head, "o".repeat(size - head.length)], { type }) },
});
const EXIF = "Exif\0\0";

/** Prepares a file; returns name, type, size, and whether it is the original. */
async function prepare(given: ReturnType<typeof file>, picture: Fake | null, maxBytes?: number) {
  const fake = codecOf(picture);
  const { name, bytes } = await preparePicture(given, fake.codec, maxBytes);
  return { ...fake, name, type: bytes.type, size: bytes.size, isOriginal: bytes === given.bytes };
}

describe("photos", () => {
  test("a photo is scaled to 2048 pixels on its long side, as JPEG", async () => {
    const made = await prepare(file("a.jpg", "image/jpeg", 900), {
      ...{ width: 3000, height: 4000, sizes: { "image/jpeg": 100 } },
    });
    expect(made).toMatchObject({ name: "a.jpg", type: "image/jpeg", size: 100, isOriginal: false });
    expect(made.encoded).toEqual(["image/jpeg 1536x2048"]);
    expect(made.closed()).toBe(1);
  });

  test("a photo that is small enough is left if it would become larger", async () => {
    const picture = { width: 800, height: 600, sizes: { "image/jpeg": 200 } };
    expect((await prepare(file("a.jpg", "image/jpeg", 150), picture)).isOriginal).toBe(true);
    expect((await prepare(file("a.jpg", "image/jpeg", 250), picture)).isOriginal).toBe(false);
  });

  test("a photo with metadata is encoded again in any case: without them it may lie on its side", async () => {
    const picture = { width: 800, height: 600, sizes: { "image/jpeg": 200 } };
    const made = await prepare(file("a.jpg", "image/jpeg", 150, EXIF), picture);
    expect(made).toMatchObject({ size: 200, isOriginal: false });
  });

  test("a photo that the browser cannot decode is left to the server", async () => {
    expect((await prepare(file("a.jpg", "image/jpeg", 150), null)).isOriginal).toBe(true);
  });
});

describe("pictures with transparency", () => {
  test("a picture with transparency keeps its type", async () => {
    const picture = { width: 4096, height: 10, isTransparent: true, sizes: { "image/png": 300, "image/jpeg": 5 } };
    const made = await prepare(file("a.png", "image/png", 900), picture);
    expect(made).toMatchObject({ name: "a.png", type: "image/png", size: 300 });
    expect(made.encoded).toEqual(["image/png 2048x5"]);
  });

  test("a picture with transparency becomes PNG where the browser cannot write its type", async () => {
    const picture = { width: 4096, height: 10, isTransparent: true, sizes: { "image/png": 300 } };
    const made = await prepare(file("a.webp", "image/webp", 900), picture);
    expect(made).toMatchObject({ name: "a.png", type: "image/png" });
  });
});

describe("opaque PNG", () => {
  const sizes = { "image/png": 300, "image/jpeg": 200 };

  test("a PNG stays one with its name, also where a JPEG would be smaller", async () => {
    const made = await prepare(file("screen.png", "image/png", 900), { width: 10, height: 10, sizes });
    expect(made).toMatchObject({ name: "screen.png", type: "image/png", size: 300 });
    expect(made.encoded).toEqual(["image/png 10x10"]);
  });

  test("a PNG that would exceed the limit becomes a JPEG, with an extension that is true", async () => {
    const made = await prepare(file("a.b.png", "image/png", 900), { width: 10, height: 10, sizes }, 250);
    expect(made).toMatchObject({ name: "a.b.jpg", type: "image/jpeg", size: 200 });
  });
});

test.each([
  ["image/gif", "GIF89a"],
  ["image/webp", `RIFF----WEBPVP8X----\u0002`],
  ["image/png", "\u0089PNG----acTL"],
])("an animated picture is left as it is: %s", async (type, head) => {
  const bytes = new Blob([Uint8Array.from(head, (each) => each.charCodeAt(0)), "o".repeat(900)], { type });
  const made = await preparePicture(
    { name: "a", bytes },
    codecOf({ width: 9999, height: 1, sizes: { [type]: 1, "image/jpeg": 1 } }).codec,
  );
  expect(made.bytes).toBe(bytes);
});

const heads = {
  AVIF: "\0\0\0\u0018ftypavif\0\0\0\0mif1",
  BMP: "BM....\0\0\0\0",
  HEIC: "\0\0\0\u0018ftypheic\0\0\0\0mif1",
  ICO: "\0\0\u0001\0",
  TIFF: "II*\0",
};
const SMALL = { width: 10, height: 10, sizes: { "image/jpeg": 100, "image/png": 200, "image/webp": 50 } };

describe("pictures of kinds that the server does not accept", () => {
  test.each([
    ["IMG_1.heic", "image/heic", heads.HEIC, "IMG_1.jpg"],
    ["IMG_1.HEIC", "", heads.HEIC, "IMG_1.jpg"],
    ["IMG_1.jpg", "image/jpeg", heads.HEIC, "IMG_1.jpg"],
    ["view.avif", "image/avif", heads.AVIF, "view.jpg"],
    ["view", "", heads.AVIF, "view.jpg"],
    ["screen.bmp", "image/bmp", heads.BMP, "screen.png"],
    ["icon.ico", "image/vnd.microsoft.icon", heads.ICO, "icon.png"],
    ["scan.tiff", "image/tiff", heads.TIFF, "scan.png"],
    ["new.xyz", "image/xyz", "\0new", "new.jpg"],
  ])(
    "a picture that the browser can read becomes JPEG, or PNG if it was lossless: %s %s",
    async (name, type, head, converted) => {
      const made = await prepare(file(name, type, 20, head), SMALL);
      expect(made).toMatchObject({ name: converted, isOriginal: false });
      expect(made.type).toBe(converted.endsWith("png") ? "image/png" : "image/jpeg");
    },
  );

  test("a converted picture with transparency becomes PNG, or WebP where that would be too large", async () => {
    const given = file("a.avif", "image/avif", 20, heads.AVIF);
    const picture = { ...SMALL, isTransparent: true };
    expect(await prepare(given, picture)).toMatchObject({ name: "a.png", type: "image/png" });
    expect(await prepare(given, picture, 100)).toMatchObject({ name: "a.webp", type: "image/webp" });
  });

  test.each([
    ["a.heic", "image/heic", heads.HEIC, "HEIC"],
    ["IMG_1.jpg", "image/jpeg", heads.HEIC, "HEIC"],
    ["scan.tif", "image/tiff", heads.TIFF, "TIFF"],
    ["DSC_1.NEF", "", heads.TIFF, "NEF"],
    ["layers.xcf", "image/x-xcf", "gimp\0", "XCF"],
    ["layers", "image/x-xcf", "gimp\0", "XCF"],
  ])("a picture that the browser cannot read is refused by its kind: %s %s", async (name, type, head, kind) => {
    await expect(prepare(file(name, type, 20, head), null)).rejects.toMatchObject({ code: `no-decoder/${kind}` });
  });

  test("a picture of a kind that every browser reads is damaged if it cannot be read", async () => {
    const given = file("a.avif", "image/avif", 30, heads.AVIF);
    await expect(prepare(given, null)).rejects.toMatchObject({ code: "file-broken" });
  });
});

test("a browser that lets no page read pictures leaves those of the server, and converts none", async () => {
  const { codec } = codecOf(SMALL, false);
  const jpeg = file("a.jpg", "image/jpeg", 900, EXIF);
  expect((await preparePicture(jpeg, codec)).bytes).toBe(jpeg.bytes);
  const avif = file("a.avif", "image/avif", 900, heads.AVIF);
  await expect(preparePicture(avif, codec)).rejects.toMatchObject({ code: "no-canvas/AVIF" });
});

test("an animated PNG with a type of its own gets that of the server, by which it is shown", async () => {
  const bytes = new Blob([Uint8Array.from("\u0089PNG----acTL", (each) => each.charCodeAt(0))], { type: "image/apng" });
  const made = await preparePicture({ name: "a.apng", bytes }, codecOf(SMALL).codec);
  expect([made.name, made.bytes.type, made.bytes.size]).toEqual(["a.apng", "image/png", bytes.size]);
});

test("a drawing that is text is not changed", async () => {
  const made = await prepare(file("a.svg", "image/svg+xml", 50), SMALL);
  expect(made).toMatchObject({ isOriginal: true, encoded: [] });
});

test("a file that is no picture is not changed", async () => {
  const made = await prepare(file("a.pdf", "application/pdf", 50), { width: 1, height: 1, sizes: {} });
  expect(made).toMatchObject({ isOriginal: true, encoded: [] });
});
