/** Part of a message's content: a block of Anthropic, or a part of one of OpenAI's APIs. */
export type ContentPart = {
  type: string;
  text?: string;
  /** Chat completions: an object; Responses: a data URL. */
  image_url?: string | { url?: string; detail?: string };
  file?: { filename?: string; file_data?: string };
  filename?: string;
  file_data?: string;
  source?: { type?: string; media_type?: string; data?: string };
  title?: string;
  /** Calls of Anthropic's and their results. */
  id?: string;
  name?: string;
  input?: object;
  tool_use_id?: string;
  content?: string;
  is_error?: boolean;
  thinking?: string;
  signature?: string;
};
/** `null`: a chat completion of calls only. */
export type MessageContent = string | ContentPart[] | null;

/** A file of a request. `type`: media type that the request gives; `name`: absent for pictures. */
export type SentFile = { type: string; name?: string; bytes: Buffer };

/** File of a part before it is decoded. */
export type EncodedFile = { type: string; base64: string; name?: string | undefined };

/** Returns the text of a message. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }) => text).join("") : "";
}

/** Returns the valid files of a message in their order. */
export function filesOf(content: MessageContent): SentFile[] {
  if (content === null || typeof content === "string") return [];
  return content.flatMap((part) => {
    const encoded = encodedFile(part);
    const bytes = encoded && decodeBase64(encoded.base64);
    return bytes ? [{ type: encoded.type, ...(encoded.name !== undefined && { name: encoded.name }), bytes }] : [];
  });
}

/** Returns a message of a prompt. `files` is absent if it has none. */
export function toPromptMessage({ role, content }: { role: string; content: MessageContent }) {
  const files = filesOf(content);
  return { role, content: textOf(content), ...(files.length > 0 && { files }) };
}

/** Returns the file of a part in base64; `undefined` if it has none. */
export function encodedFile({ source, title, image_url, file, ...part }: ContentPart): EncodedFile | undefined {
  if (source) return { type: source.media_type ?? "", base64: source.data ?? "", name: title };
  const picture = typeof image_url === "string" ? image_url : image_url?.url;
  const document = file?.file_data ?? part.file_data;
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(picture ?? document ?? "") ?? [];
  if (type === undefined || base64 === undefined) return undefined;
  return { type, base64, name: picture === undefined ? (file?.filename ?? part.filename) : undefined };
}

/** Decodes base64 with padding; `undefined` if it is invalid or empty. */
export function decodeBase64(text: string): Buffer | undefined {
  const isValid = text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  return isValid ? Buffer.from(text, "base64") : undefined;
}

const signatures: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["\x89PNG\r\n\x1a\n"],
  "image/jpeg": ["\xff\xd8\xff"],
  "image/gif": ["GIF87a", "GIF89a"],
  "image/webp": ["RIFF"],
  "application/pdf": ["%PDF-"],
};

export const pictureTypes: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** Whether bytes begin like a file of a media type. */
export function hasSignature(bytes: Buffer, type: string): boolean {
  return (signatures[type] ?? []).some((start) => bytes.toString("latin1", 0, start.length) === start);
}

/** Whether a GIF repeats its images. */
export function isAnimatedGif(bytes: Buffer): boolean {
  return hasSignature(bytes, "image/gif") && bytes.includes("NETSCAPE2.0");
}

/** Returns the longer side of a PNG in pixels; 0 for other formats. */
export function pngSide(bytes: Buffer): number {
  return hasSignature(bytes, "image/png") && bytes.length >= 24
    ? Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
    : 0;
}

/** Returns the number of pages of a PDF whose objects are not compressed. */
export function pagesOf(pdf: Buffer): number {
  return pdf.toString("latin1").match(/\/Type\s*\/Page(?![a-z])/g)?.length ?? 0;
}
