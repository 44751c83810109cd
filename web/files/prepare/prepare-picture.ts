import { fileKindOf } from "#contract/files/files.ts";
import { FileFailure } from "../upload-failure.ts";
import { type PictureHeader, readPictureHeader } from "./picture-header.ts";
import { convertedKinds, losslessKinds, servedKinds, shownPictureKind } from "./picture-kinds.ts";

/** A decoded picture, upright. `close` frees its memory. */
export type DecodedPicture = { width: number; height: number; close: () => void };
export type PictureSize = { width: number; height: number };

/** Decodes and encodes pictures; replaced in tests. */
export type PictureCodec<Picture extends DecodedPicture = DecodedPicture> = {
  /** Whether a canvas returns what is drawn on it. */
  isFaithful(): boolean;
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
const WEBP = "image/webp";

/**
 * Scales a picture to at most 2048 pixels on its long side and encodes it again, upright and without metadata. A PNG
 * stays one, because JPEG blurs the small text of a screen, unless it would exceed `maxBytes`. Leaves an animated
 * picture, a picture that would not become smaller, and one that the browser cannot decode: the server decides about
 * those. A picture of a kind that the server does not accept is converted, an animated one to its first frame. Another
 * file stays as it is.
 * @throws FileFailure `no-decoder/…` or `no-canvas/…` with the kind of a picture that the browser cannot convert;
 * `file-broken` for a damaged one of a kind that every browser can; `file-gone` if the file cannot be read
 */
export async function preparePicture<Picture extends DecodedPicture>(
  file: PreparedFile,
  codec: PictureCodec<Picture>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<PreparedFile> {
  const header = await readPictureHeader(file.bytes).catch((cause: unknown) => {
    throw new FileFailure("file-gone", { cause });
  });
  if (!isPicture(file, header)) return file;
  const type = servedTypeOf(file, header);
  const original = type === undefined ? null : withType(file, type);
  if (original && (header.isAnimated || !codec.isFaithful())) return original;
  const kind = shownPictureKind(header.kind, { name: file.name, type: file.bytes.type });
  if (!codec.isFaithful()) throw new FileFailure(`no-canvas/${kind}`);
  const picture = await codec.decode(file.bytes).catch((cause: unknown) => {
    if (original) return null;
    throw new FileFailure(convertedKinds.has(kind) ? "file-broken" : `no-decoder/${kind}`, { cause });
  });
  if (!picture) return original ?? file;
  try {
    const size = fitted(picture);
    const encoded = await smallestOf(codec, picture, size, await typesFor(picture, type, header, codec), maxBytes);
    if (!original && !encoded) throw new FileFailure(`no-canvas/${kind}`);
    // Without its metadata, which the server removes, a picture may lie on its side.
    const mustChange = !original || size.width !== picture.width || header.hasMetadata;
    if (!encoded || (!mustChange && file.bytes.size <= encoded.size)) return original ?? file;
    return { name: renamed(file.name, encoded.type, file.bytes.type || type), bytes: encoded };
  } finally {
    picture.close();
  }
}

/** Whether a file is a picture by its bytes, or by its media type. Text that has such a type is an SVG, for example. */
const isPicture = ({ bytes }: PreparedFile, { kind, isText }: PictureHeader): boolean =>
  kind !== null || fileKindOf(bytes.type) === "picture" || (bytes.type.startsWith("image/") && !isText);

/** Returns the media type of a picture that the server accepts; undefined for another kind. */
function servedTypeOf({ bytes }: PreparedFile, { kind }: PictureHeader): string | undefined {
  if (kind !== null) return servedKinds.get(kind);
  return fileKindOf(bytes.type) === "picture" ? bytes.type : undefined;
}

/** Returns a picture with a media type by which it is shown as one: systems may have none for it, or `image/apng`. */
function withType(file: PreparedFile, type: string): PreparedFile {
  const { name, bytes } = file;
  return fileKindOf(bytes.type) === "picture" ? file : { name, bytes: bytes.slice(0, bytes.size, type) };
}

function fitted({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, LONG_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns the types of which the first is used that makes the picture small enough; JPEG has no alpha. */
async function typesFor<Picture extends DecodedPicture>(
  picture: Picture,
  type: string | undefined,
  { kind }: PictureHeader,
  codec: PictureCodec<Picture>,
): Promise<readonly string[]> {
  if (type === JPEG) return [JPEG];
  if (await codec.hasAlpha(picture)) return type === undefined ? [PNG, WEBP] : [type];
  return type === PNG || losslessKinds.has(kind ?? "") ? [PNG, JPEG] : [JPEG];
}

/** Encodes a picture as the first of some types that makes it small enough, else as the last that can be written. */
async function smallestOf<Picture extends DecodedPicture>(
  codec: PictureCodec<Picture>,
  picture: Picture,
  size: PictureSize,
  types: readonly string[],
  maxBytes: number,
): Promise<Blob | null> {
  let encoded: Blob | null = null;
  for (const type of types) {
    if (encoded && encoded.size <= maxBytes) break;
    encoded = (await encodeAs(codec, picture, size, type)) ?? encoded;
  }
  return encoded;
}

async function encodeAs<Picture extends DecodedPicture>(
  codec: PictureCodec<Picture>,
  picture: Picture,
  size: PictureSize,
  type: string,
): Promise<Blob | null> {
  return (await codec.encode(picture, size, type)) ?? (type === JPEG ? null : codec.encode(picture, size, PNG));
}

const extensions: Readonly<Record<string, string>> = { [JPEG]: ".jpg", [PNG]: ".png", [WEBP]: ".webp" };

/** Returns the name with the extension of its new type, if that has changed. */
function renamed(name: string, type: string, before: string | undefined): string {
  const extension = extensions[type];
  if (type === before || extension === undefined) return name;
  return `${name.replace(/\.[a-z0-9]{1,5}$/i, "")}${extension}`;
}
