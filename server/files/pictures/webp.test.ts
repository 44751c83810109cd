import { describe, expect, it } from "vitest";
import { alphaWebp, losslessWebp } from "../../../testing/files/canvas-pictures.ts";
import { riffChunk, webpChunks, webpFrame, webpHeader, webpOf } from "../../../testing/files/picture-encoders.ts";
import { exifOf, METADATA_MARKER } from "../../../testing/files/pictures.ts";
import { strippedPicture } from "../../../testing/files/stripped-picture.ts";

const strip = (file: Buffer) => strippedPicture(file, "image/webp");
const [ICC, ALPHA, EXIF, XMP, ANIMATION] = [0x20, 0x10, 0x08, 0x04, 0x02];

const chunkOf = (file: Buffer, id: string) => riffChunk(id, ...webpChunks(file, id));
const lossless = chunkOf(losslessWebp, "VP8L");
const lossy = chunkOf(alphaWebp, "VP8 ");
const alpha = chunkOf(alphaWebp, "ALPH");
const profile = riffChunk("ICCP", Buffer.alloc(9));
const unknown = riffChunk("prVt", METADATA_MARKER, "!");
const exif = riffChunk("EXIF", exifOf());
const animation = riffChunk("ANIM", Buffer.alloc(6));

describe("WebPs", () => {
  it.each<[string, Buffer]>([
    ["lossy", lossy],
    ["lossless", lossless],
  ])("M2 a WebP of one %s image loses all that follows it", async (_, image) => {
    const stored = await strip(webpOf(image, unknown, exif, alpha, lossless));
    expect(stored.bytes.equals(webpOf(image))).toBe(true);
    expect(stored).toMatchObject({ width: 13, height: 7 });
  });

  it("M2 a WebP has only flags of the chunks that it keeps", async () => {
    const stored = await strip(webpOf(webpHeader(0xff & ~ANIMATION, 13, 7), alpha, exif, lossy));
    expect(stored.bytes.equals(webpOf(webpHeader(ALPHA, 13, 7), alpha, lossy))).toBe(true);
    const coloured = webpOf(webpHeader(ICC, 13, 7), profile, lossless);
    const unflagged = webpOf(webpHeader(EXIF | XMP, 13, 7), profile, lossless);
    expect((await strip(unflagged)).bytes.equals(coloured)).toBe(true);
  });

  it("M2 a WebP with features keeps one of each: profile, alpha, image", async () => {
    const clean = webpOf(webpHeader(ICC | ALPHA, 13, 7), profile, alpha, lossy);
    const doubled = webpOf(
      ...[webpHeader(ICC | ALPHA, 13, 7), unknown, profile, profile, alpha, alpha, lossy],
      ...[lossless, profile, alpha, animation, webpFrame(13, 7, lossless)],
    );
    expect((await strip(doubled)).bytes.equals(clean)).toBe(true);
    const late = webpOf(webpHeader(ICC | ALPHA, 13, 7), lossy, alpha, profile);
    expect((await strip(late)).bytes.equals(webpOf(webpHeader(ALPHA, 13, 7), lossy))).toBe(true);
  });

  it("M2 an animated WebP loses chunks between and in its frames, and images outside them", async () => {
    const header = webpHeader(ANIMATION, 13, 7);
    const clean = webpOf(header, animation, webpFrame(13, 7, alpha, lossy), webpFrame(13, 7, lossless));
    const tagged = webpOf(
      ...[header, lossless, animation, exif, webpFrame(13, 7, unknown, alpha, alpha, exif, lossy, lossy, alpha)],
      ...[animation, unknown, webpFrame(13, 7, lossless, Buffer.from("rest"))],
    );
    const stored = await strip(tagged);
    expect(stored.bytes.equals(clean)).toBe(true);
    expect(stored).toMatchObject({ isAnimated: true });
    // Frames without metadata are one range: a long animation is in few pieces.
    const { pieces } = await strip(clean);
    expect(pieces.slice(-1)).toEqual([{ from: 30, to: clean.length }]);
  });

  it("a WebP of one frame, and one whose frames are dropped, is not animated", async () => {
    const one = webpOf(webpHeader(ANIMATION, 13, 7), animation, webpFrame(13, 7, lossless));
    const still = webpOf(
      webpHeader(0, 13, 7),
      lossless,
      animation,
      webpFrame(13, 7, lossless),
      webpFrame(13, 7, lossy),
    );
    for (const file of [one, still]) expect(await strip(file)).not.toHaveProperty("isAnimated");
  });

  it("a WebP receives the padding byte that is missing at its end, or at the end of a frame", async () => {
    const odd = riffChunk(
      "VP8L",
      ...webpChunks(losslessWebp, "VP8L"),
      Buffer.alloc(1 - (lossless.readUInt32LE(4) % 2)),
    );
    const still = webpOf(odd);
    const unpadded = Buffer.from(still.subarray(0, -1));
    unpadded.writeUInt32LE(unpadded.length - 8, 4);
    expect((await strip(unpadded)).bytes.equals(still)).toBe(true);
    const parts = [webpHeader(ANIMATION, 13, 7), animation] as const;
    const animated = webpOf(...parts, webpFrame(13, 7, odd.subarray(0, -1)), webpFrame(13, 7, lossless));
    const padded = webpOf(...parts, webpFrame(13, 7, odd), webpFrame(13, 7, lossless));
    expect((await strip(animated)).bytes.equals(padded)).toBe(true);
  });

  const longHeader = riffChunk("VP8X", webpHeader(0, 13, 7).subarray(8), riffChunk("prVt"));
  const shortFrame = riffChunk("ANMF", Buffer.alloc(14));
  const wide = [webpHeader(0, 14, 7), webpHeader(ANIMATION, 14, 7)] as const;
  const header = webpHeader(ANIMATION, 13, 7);
  const broken: Record<string, Buffer> = {
    "another signature": riffChunk("RIFF", "WAVE", lossless),
    "another container": riffChunk("RIFX", "WEBP", lossless),
    "a size beyond the file": webpOf(lossless, unknown).subarray(0, -2),
    "no image": webpOf(),
    "metadata first": webpOf(exif, lossless),
    "no image among its features": webpOf(webpHeader(0, 13, 7), profile, alpha),
    "a longer VP8X chunk": webpOf(longHeader, lossless),
    "a chunk that ends after its container": Buffer.concat([
      webpOf(webpHeader(0, 13, 7), lossless, Buffer.from("EXIF\x50\0\0\0")),
      webpOf(unknown, exif),
    ]),
    "an image of other dimensions than its canvas": webpOf(wide[0], lossless),
    "a frame of other dimensions than its image": webpOf(wide[1], animation, webpFrame(14, 7, lossless)),
    "a frame outside its canvas": webpOf(webpHeader(ANIMATION, 12, 7), animation, webpFrame(13, 7, lossless)),
    "a frame without an image": webpOf(header, animation, webpFrame(13, 7, alpha)),
    "a frame without a header": webpOf(header, animation, shortFrame),
    "frames before the start of its animation": webpOf(header, webpFrame(13, 7, lossless), animation),
    "an image without the start code of VP8": webpOf(riffChunk("VP8 ", Buffer.alloc(40, 1))),
    "an image without the signature of VP8L": webpOf(riffChunk("VP8L", Buffer.alloc(40))),
    "an image of four bytes": webpOf(riffChunk("VP8L", Buffer.from([0x2f, 0, 0, 0])), unknown),
  };
  it.each(Object.entries(broken))("a WebP with %s is broken", async (_, file) => {
    await expect(strip(file)).rejects.toMatchObject({ reason: "broken" });
  });
});
