import {
  type ContentPart,
  decodeBase64,
  encodedFile,
  hasSignature,
  type MessageContent,
  pagesOf,
  pictureTypes,
  pngSide,
} from "../content-parts.ts";

type Message = { role: string; content: MessageContent };

/** Signature of reasoning, which the API requires back within a loop of calls. */
export const SIGNATURE = "EqQBCgIYAhIM1gbcDa9GJwZA2b3h";
/** Blocks whose paths `tool-rules.ts` checks. */
const OF_CALLS = ["thinking", "redacted_thinking", "tool_use", "tool_result"];

const MAX_PICTURE_CHARS = 5 * 1024 * 1024;
const MAX_SIDE = 8000;
const MANY_PICTURES = 20;
const MAX_SIDE_OF_MANY = 2000;
const MAX_PICTURES = 100;
const MAX_PAGES = 100;
const MAX_REQUEST_CHARS = 32_000_000;

/** Whether the files of a request are larger together than the API allows. */
export function isTooLarge(messages: readonly Message[]): boolean {
  const chars = blocksOf(messages).reduce((sum, { block }) => sum + (block.source?.data?.length ?? 0), 0);
  return chars > MAX_REQUEST_CHARS;
}

/** Returns Anthropic's sentence on invalid blocks; `undefined` if all are valid. */
export function problemOfBlocks(messages: readonly Message[]): string | undefined {
  const blocks = blocksOf(messages);
  for (const { path, role, block } of blocks) {
    const problem = problemOfBlock(block, role);
    if (problem !== undefined) return `${path}${problem}`;
  }
  const files = blocks.flatMap(({ block }) => {
    const encoded = encodedFile(block);
    return encoded ? [{ block, bytes: Buffer.from(encoded.base64, "base64") }] : [];
  });
  const pictures = files.filter(({ block }) => block.type === "image");
  if (pictures.length > MAX_PICTURES) return "messages: Too many images";
  const maxSide = pictures.length > MANY_PICTURES ? MAX_SIDE_OF_MANY : MAX_SIDE;
  if (pictures.some(({ bytes }) => pngSide(bytes) > maxSide)) {
    return `messages: At least one of the image dimensions exceed max allowed size: ${maxSide} pixels`;
  }
  const pages = files.reduce((sum, { block, bytes }) => sum + (block.type === "document" ? pagesOf(bytes) : 0), 0);
  return pages > MAX_PAGES ? `A maximum of ${MAX_PAGES} PDF pages may be provided.` : undefined;
}

function blocksOf(messages: readonly Message[]) {
  return messages.flatMap(({ role, content }, index) =>
    !Array.isArray(content)
      ? []
      : content.map((block, at) => ({ path: `messages.${index}.content.${at}`, role, block })),
  );
}

/** @returns the sentence without the block's path */
function problemOfBlock(block: ContentPart, role: string): string | undefined {
  if (block.type === "thinking" && block.signature !== SIGNATURE) return ".signature: Invalid `signature`";
  if (OF_CALLS.includes(block.type)) return undefined;
  if (block.type === "text") return block.text?.trim() ? undefined : ": text content blocks must be non-empty";
  const isPicture = block.type === "image";
  if (!isPicture && block.type !== "document") {
    return `: Input tag '${block.type}' found using 'type' does not match any of the expected tags`;
  }
  if (role !== "user") return `.type: \`${block.type}\` blocks are only permitted in user messages`;
  const { type, media_type = "", data = "" } = block.source ?? {};
  const source = `.${block.type}.source.base64`;
  if (type !== "base64") return `.${block.type}.source.type: Input should be 'base64'`;
  const types = isPicture ? pictureTypes : ["application/pdf"];
  if (!types.includes(media_type)) return `${source}.media_type: Input should be ${types.join(" or ")}`;
  const bytes = decodeBase64(data);
  if (!bytes) return `${source}: invalid base64 data`;
  if (isPicture && data.length > MAX_PICTURE_CHARS) return `${source}: image exceeds 5 MB maximum`;
  if (hasSignature(bytes, media_type)) return undefined;
  return isPicture
    ? `${source}.data: The image does not match the media type ${media_type}`
    : `${source}: The PDF specified was not valid.`;
}
