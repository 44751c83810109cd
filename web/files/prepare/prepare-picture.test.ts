import { describe, expect, test } from "vitest";
import { type PictureCodec, preparePicture } from "./prepare-picture.ts";

type Fake = { width: number; height: number; isTransparent?: boolean; sizes: Record<string, number> };

/** A codec whose picture has these sizes in bytes by type; a type without one cannot be written. */
function codecOf(picture: Fake | null) {
  const encoded: string[] = [];
  let closed = 0;
  const codec: PictureCodec = {
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

describe("HEIC pictures", () => {
  test.each([
    ["IMG_1.heic", "image/heic"],
    ["IMG_1.HEIC", ""],
  ])("a HEIC picture becomes JPEG where the browser can read it: %s %s", async (name, type) => {
    const made = await prepare(file(name, type, 50), { width: 10, height: 10, sizes: { "image/jpeg": 100 } });
    expect(made).toMatchObject({ name: "IMG_1.jpg", type: "image/jpeg", size: 100 });
  });

  test("a HEIC picture is recognized by its bytes where its name says JPEG", async () => {
    const given = file("IMG_1.jpg", "image/jpeg", 50, "\0\0\0\u0018ftypheic");
    await expect(prepare(given, null)).rejects.toMatchObject({ code: "heic" });
    const made = await prepare(given, { width: 10, height: 10, sizes: { "image/jpeg": 100 } });
    expect(made).toMatchObject({ name: "IMG_1.jpg", size: 100 });
  });

  test("a HEIC picture is refused where the browser cannot read it", async () => {
    await expect(prepare(file("a.heic", "image/heic", 50), null)).rejects.toMatchObject({ code: "heic" });
  });
});

test("a file that is no picture is not changed", async () => {
  const made = await prepare(file("a.pdf", "application/pdf", 50), { width: 1, height: 1, sizes: {} });
  expect(made).toMatchObject({ isOriginal: true, encoded: [] });
});
