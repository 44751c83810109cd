import type { AcceptedFiles, Model, PromptFile, PromptMessage, PromptPart } from "../model.ts";
import { type MostTokens, mostMessageTokens, mostTextTokens, sumOfMost } from "../most-tokens.ts";
import { textOfPart } from "../prompt-message.ts";
import { fileTokens, likelyTokens, likelyTokensOfBytes, messageTokens, windowBytes } from "../prompt-window.ts";
import { absenceSentence, isPlainName, promptName } from "./file-text.ts";

/**
 * Why a model that receives files of a kind does not receive one of them as it is: its provider has refused it, or
 * accepts no animated GIFs. `no-pictures`: its server has refused any picture.
 */
export type FileObstacle = "refused" | "animated" | "no-pictures";

/**
 * Form in which a model receives a file. `native`: as it is. `text`: up to `maxBytes` of its readable text in UTF-8.
 * `name`: only that it is attached.
 */
export type PlannedFile = {
  type: "file";
  file: PromptFile;
  form: "native" | "text" | "name";
  maxBytes: number;
  obstacle?: FileObstacle | undefined;
};
/** A message whose files have a form each. */
export type PlannedMessage = Pick<PromptMessage, "role" | "turn"> & { content: readonly PlannedPart[] };
export type PlannedPart = Exclude<PromptPart, { type: "file" }> | PlannedFile;

/** Facts of a model that decide on the forms of files. */
export type FileModel = Pick<Model, "accepts" | "contextTokens">;

/** Bytes in a request for the fields around a file, its name included. */
const FIELD_BYTES = 2000;
/** Tokens of the sentences that introduce the text of a file, without its name. */
const SENTENCE_TOKENS = 200;
const SENTENCE_BYTES = 3 * SENTENCE_TOKENS;

/**
 * Chooses the form of each file. Where a request would exceed a limit of the API, the newest files are sent as they are,
 * and the oldest ones are not.
 * @param messages oldest first
 * @param refused ids of the files that the model's provider has refused
 */
export function planFiles(
  messages: readonly PromptMessage[],
  { accepts, contextTokens }: FileModel,
  refused: ReadonlySet<string>,
): PlannedMessage[] {
  const room = accepts && new RequestRoom(accepts, windowBytes([{ contextTokens }]));
  const plan = (file: PromptFile): PlannedFile => {
    const obstacle = accepts && obstacleOf(file, accepts, refused);
    return !obstacle && room?.take(file) ? plannedAsIs(file) : { ...plannedAsText(file), obstacle };
  };
  return newestFirst(messages, ({ content, ...message }) => ({
    ...message,
    content: newestFirst(content, (part) => (part.type === "file" ? plan(part.file) : part)),
  }));
}

/** Returns the files of a message in their order. */
export function plannedFilesOf({ content }: PlannedMessage): PlannedFile[] {
  return content.flatMap((part) => (part.type === "file" ? [part] : []));
}

/** Maps the files of a message, the newest first. */
export function mapFilesOf(message: PlannedMessage, map: (file: PlannedFile) => PlannedFile): PlannedMessage {
  const content = newestFirst(message.content, (part) => (part.type === "file" ? map(part) : part));
  return { ...message, content };
}

/** Maps a list from its end to its beginning. The result has the order of the list. */
export function newestFirst<From, To>(list: readonly From[], map: (each: From) => To): To[] {
  return list.toReversed().map(map).reverse();
}

function obstacleOf(
  { id, kind, type, remark }: PromptFile,
  { images, refusesPictures, pdf, limits }: AcceptedFiles,
  refused: ReadonlySet<string>,
): FileObstacle | undefined {
  if (kind === "picture" && refusesPictures) return "no-pictures";
  const isAccepted = kind === "picture" ? images : kind === "pdf" && pdf;
  if (!isAccepted) return undefined;
  if (refused.has(id)) return "refused";
  return type === "image/gif" && remark === "animated" && !limits.animatedGifs ? "animated" : undefined;
}

/** Plans a file for a model that does not receive it as it is. A picture has no text. */
export function plannedAsText(file: PromptFile): PlannedFile {
  const maxBytes = file.kind === "picture" ? 0 : file.textBytes;
  return { type: "file", file, form: maxBytes > 0 ? "text" : "name", maxBytes };
}

/** Plans only the name of a file. */
export function plannedAsName({ file, obstacle }: PlannedFile): PlannedFile {
  return { type: "file", file, form: "name", maxBytes: 0, obstacle };
}

function plannedAsIs(file: PromptFile): PlannedFile {
  return { type: "file", file, form: "native", maxBytes: 0 };
}

/** Estimates the tokens of a message with its files in their forms. */
export function plannedTokens({ content }: PlannedMessage): number {
  return content.reduce(
    (sum, part) => sum + (part.type === "file" ? tokensOfForm(part) : likelyTokens(textOfPart(part))),
    messageTokens({ content: [] }),
  );
}

/** Returns the most tokens of a message with its files in their forms. */
export function mostPlannedTokens(message: PlannedMessage): MostTokens {
  const asTheyAre = message.content.filter((part) => part.type !== "file" || part.form === "native");
  const written = plannedFilesOf(message).filter(({ form }) => form !== "native");
  return sumOfMost([mostMessageTokens({ content: asTheyAre }), ...written.map(mostOfText)]);
}

const mostOfText = ({ file, form, maxBytes }: PlannedFile): MostTokens =>
  form === "name"
    ? mostTextTokens(`${absenceSentence(file)}\n\n`)
    : sumOfMost([mostTextTokens(promptName(file)), { most: maxBytes + SENTENCE_BYTES }]);

/** Estimates the tokens of a file in its form. */
export function tokensOfForm({ file, form, maxBytes }: PlannedFile): number {
  if (form === "native") return fileTokens(file);
  if (form === "name") return tokensOfAbsence(file);
  return likelyTokensOfBytes(maxBytes) + likelyTokens(promptName(file)) + SENTENCE_TOKENS;
}

/** Bytes of the sentence that names a file, without its name. */
const absenceBytes = {
  picture: absenceSentence({ id: "", name: "", kind: "picture" }).length,
  other: absenceSentence({ id: "", name: "", kind: "text" }).length,
};

/** Makes no sentence for most names: a prompt is fitted in several passes over up to 30,000 files. */
function tokensOfAbsence(file: PromptFile): number {
  if (!isPlainName(file.name)) return likelyTokens(absenceSentence(file));
  return likelyTokensOfBytes(absenceBytes[file.kind === "picture" ? "picture" : "other"] + file.name.length);
}

/** Length of base64 with its padding. */
export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** Counts the files of one request against the limits of its API. */
class RequestRoom {
  readonly #accepts: AcceptedFiles;
  #bytes: number;
  #pages: number;
  #pictures = 0;
  #hasLargePicture = false;

  /** @param textBytes bytes of text in UTF-8 that the request contains at most */
  constructor(accepts: AcceptedFiles, textBytes: number) {
    const { requestBytes, pages } = accepts.limits;
    this.#accepts = accepts;
    // Escapes of JSON double a text of quotes or line feeds.
    this.#bytes = requestBytes - 2 * textBytes;
    this.#pages = pages;
  }

  /** Takes room for a file as it is. @returns false if it cannot be sent so */
  take(file: PromptFile): boolean {
    const bytes = base64Length(file.size) + FIELD_BYTES;
    if (bytes > this.#bytes) return false;
    const isTaken = file.kind === "picture" ? this.#takePicture(file) : file.kind === "pdf" && this.#takePdf(file);
    if (isTaken) this.#bytes -= bytes;
    return isTaken;
  }

  #takePicture({ size, width = 0, height = 0 }: PromptFile): boolean {
    const { images, limits } = this.#accepts;
    const side = Math.max(width, height);
    const isLarge = side > limits.many.pictureSide;
    const allowed = this.#hasLargePicture || isLarge ? limits.many.count : limits.pictures;
    if (!images || this.#pictures >= allowed) return false;
    if (side > limits.pictureSide || base64Length(size) > limits.pictureBase64) return false;
    this.#pictures++;
    this.#hasLargePicture ||= isLarge;
    return true;
  }

  /** Providers refuse a PDF that is encrypted or damaged. The number of its pages is unknown then. */
  #takePdf({ pages = 0, remark }: PromptFile): boolean {
    if (!this.#accepts.pdf || remark === "encrypted" || remark === "broken") return false;
    if (pages < 1 || pages > this.#pages) return false;
    this.#pages -= pages;
    return true;
  }
}
