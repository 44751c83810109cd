import {
  type ContentPart,
  decodeBase64,
  encodedFile,
  hasSignature,
  isAnimatedGif,
  type MessageContent,
  pictureTypes,
} from "../content-parts.ts";
import type { ErrorAnswer } from "../wire.ts";
import { fieldRefusal } from "./openai-errors.ts";

type Message = { role: string; content: MessageContent };

const MAX_REQUEST_CHARS = 50_000_000;
const MAX_PICTURES = 500;
/** Local models without a vision encoder have none of these in their names. */
const LOCAL_VISION = /vl|vision|llava|gemma/i;

/**
 * Returns the refusal of the parts of a chat completion; `undefined` for valid ones. OpenAI's models receive pictures
 * and PDF files, others at most pictures.
 * @param hasVision undefined for a model of another server than OpenAI
 */
export function refuseChatParts(
  messages: readonly Message[],
  model: string,
  hasVision: boolean | undefined,
): ErrorAnswer | undefined {
  for (const { param, role, part } of partsOf(messages, "messages")) {
    const isFile = part.type === "image_url" || part.type === "file";
    if (part.type === "text" ? typeof part.text !== "string" : !isFile || role !== "user") {
      return invalidValue(`${param}.type`, part.type);
    }
    if (part.type === "text") continue;
    if (hasVision === undefined && (part.type === "file" || !LOCAL_VISION.test(model))) return withoutProjector;
    if (hasVision === false) {
      const message = `Invalid content type. ${part.type} is only supported by certain models.`;
      return fieldRefusal(null, `${param}.type`, message);
    }
    const refusal = refuseFile(part, param, hasVision !== undefined);
    if (refusal) return refusal;
  }
  return refuseAmount(messages);
}

/** Returns the refusal of the parts of a request for a response; `undefined` for valid ones. */
export function refuseInputParts(input: readonly Message[]): ErrorAnswer | undefined {
  for (const { param, role, part } of partsOf(input, "input")) {
    const allowed = role === "assistant" ? ["output_text"] : ["input_text", "input_image", "input_file"];
    if (!allowed.includes(part.type)) return invalidValue(param, part.type);
    const refusal = part.type.endsWith("_text") ? undefined : refuseFile(part, param, true);
    if (refusal) return refusal;
  }
  return refuseAmount(input);
}

function* partsOf(messages: readonly Message[], list: string) {
  for (const [index, { role, content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [at, part] of content.entries()) yield { param: `${list}[${index}].content[${at}]`, role, part };
  }
}

/** @param isOpenAi whether the model is OpenAI's, which accept no animated pictures */
function refuseFile(part: ContentPart, param: string, isOpenAi: boolean): ErrorAnswer | undefined {
  const isPicture = part.image_url !== undefined;
  const name = part.file?.filename ?? part.filename;
  const { type = "", base64 = "" } = encodedFile(part) ?? {};
  const types = isPicture ? pictureTypes : ["application/pdf"];
  if (!types.includes(type)) {
    const message = `Invalid MIME type '${type}'. Supported are ${types.join(", ")}.`;
    return fieldRefusal("invalid_value", param, message);
  }
  const bytes = decodeBase64(base64);
  if (!bytes) return fieldRefusal("invalid_base64", param, "Invalid base64 data.");
  if (!isPicture && !name?.endsWith(".pdf")) return fieldRefusal("unsupported_file", param, "Unsupported file type.");
  if (hasSignature(bytes, type) && !(isOpenAi && isAnimatedGif(bytes))) return undefined;
  const message = "You uploaded an unsupported image. Please make sure your image is valid.";
  return fieldRefusal(isPicture ? "image_parse_error" : "invalid_file", param, message);
}

function refuseAmount(messages: readonly Message[]): ErrorAnswer | undefined {
  const files = [...partsOf(messages, "")].flatMap(({ part }) => encodedFile(part) ?? []);
  const chars = files.reduce((sum, { base64 }) => sum + base64.length, 0);
  if (chars > MAX_REQUEST_CHARS) {
    return { ...fieldRefusal("request_too_large", null, "The request is too large."), status: 413 };
  }
  const pictures = files.filter(({ type }) => type.startsWith("image/")).length;
  return pictures > MAX_PICTURES ? fieldRefusal("invalid_value", null, "Too many images.") : undefined;
}

const invalidValue = (param: string, type: string) =>
  fieldRefusal("invalid_value", param, `Invalid value: '${type}'. Another type is supported here.`);

/** The answer of llama.cpp for a model without a vision encoder. */
const withoutProjector: ErrorAnswer = {
  status: 500,
  body: JSON.stringify({
    error: {
      code: 500,
      message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
      type: "server_error",
    },
  }),
};
