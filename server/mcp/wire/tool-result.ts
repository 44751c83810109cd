import { field, isRecord, textField } from "../../text/wire-json.ts";
import type { ResultPicture, ToolOutcome } from "../../tools/tool.ts";
import { resultContentOf } from "./incoming-message.ts";

/** Contents of a result that are read. */
const BLOCKS_MAX = 10_000;
const PICTURES_MAX = 10;
/** In bytes. */
const PICTURE_MAX = 10 * 1024 * 1024;
/** Characters of Base64 that encode three bytes. */
const BASE64_GROUP = 4;

/** Converts the result of a tool. Nothing that it refers to is requested. */
export function toOutcome(result: unknown): ToolOutcome {
  const pictures: ResultPicture[] = [];
  const content = resultContentOf(result);
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const lines = blocks.slice(0, BLOCKS_MAX).map((block) => toText(block, pictures));
  if (blocks.length > BLOCKS_MAX) lines.push(`[${blocks.length - BLOCKS_MAX} further contents were left out.]`);
  const structured = structuredOf(field(result, "structuredContent"));
  const text = lines.filter((line) => line !== "").join("\n\n") || structured || "";
  return {
    text: text.toWellFormed(),
    ...(field(result, "isError") === true && { isError: true }),
    ...(pictures.length > 0 && { pictures }),
    ...(structured !== undefined && { structured }),
  };
}

/** Returns a block as text; adds a picture to the others. */
function toText(block: unknown, pictures: ResultPicture[]): string {
  const type = textField(block, "type");
  switch (type) {
    case "text":
      return textField(block, "text");
    case "image":
      return toPicture(textField(block, "data"), pictures);
    case "audio":
      return "[A sound was left out.]";
    case "resource_link":
      return `${textField(block, "title") || textField(block, "name")}: ${textField(block, "uri")}`;
    case "resource":
      return resourceText(field(block, "resource"));
    default:
      return "[Content of an unknown type was left out.]";
  }
}

function toPicture(data: string, pictures: ResultPicture[]): string {
  const size = (data.length / BASE64_GROUP) * 3;
  if (size > PICTURE_MAX) return "[A picture was left out because it is too large.]";
  if (pictures.length === PICTURES_MAX) return "[A picture was left out because there are too many.]";
  const bytes = Buffer.from(data, "base64");
  if (bytes.length === 0) return "[A picture was left out because it is empty.]";
  pictures.push({ bytes });
  return `[picture ${pictures.length}]`;
}

function resourceText(resource: unknown): string {
  const text = field(resource, "text");
  if (typeof text === "string") return text;
  return `[The file ${textField(resource, "uri")} was left out because it is no text.]`;
}

function structuredOf(value: unknown): string | undefined {
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  return JSON.stringify(value);
}
