import { fileKindOf } from "#contract/files/files.ts";
import { FileFailure } from "../upload-failure.ts";
import { readPictureHeader } from "./picture-header.ts";

/** A decoded picture, upright. `close` frees its memory. */
export type DecodedPicture = { width: number; height: number; close: () => void };
export type PictureSize = { width: number; height: number };

/** Decodes and encodes pictures; replaced in tests. */
export type PictureCodec<Picture extends DecodedPicture = DecodedPicture> = {
  /** Rejects if the browser cannot read the picture. */
  decode(file: Blob): Promise<Picture>;
  hasAlpha(picture: Picture): Promise<boolean>;
  /** Null if the browser cannot write this type. */
  encode(picture: Picture, size: PictureSize, type: string): Promise<Blob | null>;
};

/** A file as it is uploaded. */
export type PreparedFile = { name: string; bytes: Blob };

/** More pixels on the long side are of no use to models. */
const LONG_SIDE = 2048;
const JPEG = "image/jpeg";
const PNG = "image/png";

/**
 * Scales a picture to at most 2048 pixels on its long side and encodes it again, upright and without metadata. A PNG
 * stays one, because JPEG blurs the small text of a screen, unless it would exceed `maxBytes`. Leaves an animated
 * picture, a picture that would not become smaller, and one that the browser cannot decode: the server decides about
 * those. Another file stays as it is.
 * @throws FileFailure `heic` for such a picture that the browser cannot decode
 */
export async function preparePicture<Picture extends DecodedPicture>(
  file: PreparedFile,
  codec: PictureCodec<Picture>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<PreparedFile> {
  const { type } = file.bytes;
  const isNamedHeic = isHeicFile(file);
  if (!isNamedHeic && fileKindOf(type) !== "picture") return file;
  const header = await readPictureHeader(file.bytes);
  if (header.isAnimated) return file;
  const isHeic = isNamedHeic || header.isHeic;
  const picture = await codec.decode(file.bytes).catch((cause: unknown) => {
    if (isHeic) throw new FileFailure("heic", { cause });
    return null;
  });
  if (!picture) return file;
  try {
    const size = fitted(picture);
    const isScaled = size.width !== picture.width;
    const types = await typesFor(picture, type, codec);
    let encoded: Blob | null = null;
    for (const each of types) {
      if (encoded && encoded.size <= maxBytes) break;
      encoded = (await encodeAs(codec, picture, size, each)) ?? encoded;
    }
    // Without its metadata, which the server removes, a picture may lie on its side.
    const mustChange = isHeic || isScaled || header.hasMetadata;
    if (!encoded || (!mustChange && file.bytes.size <= encoded.size)) return file;
    return { name: renamed(file.name, encoded.type, type), bytes: encoded };
  } finally {
    picture.close();
  }
}

const isHeicFile = ({ name, bytes }: PreparedFile) =>
  /^image\/hei[cf]/.test(bytes.type) || (bytes.type === "" && /\.hei[cf]$/i.test(name));

function fitted({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, LONG_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns the types of which the first is used that makes the picture small enough; JPEG has no alpha. */
async function typesFor<Picture extends DecodedPicture>(
  picture: Picture,
  type: string,
  codec: PictureCodec<Picture>,
): Promise<readonly string[]> {
  if (type === JPEG || fileKindOf(type) !== "picture") return [JPEG];
  if (await codec.hasAlpha(picture)) return [type];
  return type === PNG ? [PNG, JPEG] : [JPEG];
}

async function encodeAs<Picture extends DecodedPicture>(
  codec: PictureCodec<Picture>,
  picture: Picture,
  size: PictureSize,
  type: string,
): Promise<Blob | null> {
  return (await codec.encode(picture, size, type)) ?? (type === JPEG ? null : codec.encode(picture, size, PNG));
}

const extensions: Readonly<Record<string, string>> = { [JPEG]: ".jpg", [PNG]: ".png", "image/webp": ".webp" };

/** Returns the name with the extension of its new type, if that has changed. */
function renamed(name: string, type: string, before: string): string {
  const extension = extensions[type];
  if (type === before || extension === undefined) return name;
  return `${name.replace(/\.[a-z0-9]{1,5}$/i, "")}${extension}`;
}
