import type { PromptFile } from "../../server/models/model.ts";

/** A file of a prompt that records how it was read. */
export class SampleFile implements PromptFile {
  readonly id: string = crypto.randomUUID();
  readonly name: string;
  readonly type: string;
  readonly kind: PromptFile["kind"];
  readonly size: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly pages: number | undefined;
  readonly remark: PromptFile["remark"];
  readonly textBytes: number;
  /** How often its bytes were requested, how often the reading has ended, and how many bytes were read. */
  opened = 0;
  closed = 0;
  read = 0;
  readonly #text: string;
  readonly #chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

  constructor(
    { text = "", size, ...facts }: SampleFacts,
    chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ) {
    this.name = facts.name;
    this.type = facts.type;
    this.kind = facts.kind;
    this.size = size;
    this.width = facts.width;
    this.height = facts.height;
    this.pages = facts.pages;
    this.remark = facts.remark;
    this.textBytes = Buffer.byteLength(text);
    this.#text = text;
    this.#chunks = chunks;
  }

  async readText(): Promise<string> {
    return this.#text;
  }

  async *open(): AsyncGenerator<Uint8Array> {
    this.opened++;
    try {
      for await (const chunk of this.#chunks()) {
        this.read += chunk.length;
        yield chunk;
      }
    } finally {
      this.closed++;
    }
  }
}

type SampleFacts = Pick<PromptFile, "name" | "type" | "kind" | "size" | "width" | "height" | "pages" | "remark"> & {
  text?: string;
};

/** Returns a text file. */
export function textFile(name: string, text: string, facts: Partial<SampleFacts> = {}): SampleFile {
  const bytes = Buffer.from(text);
  return new SampleFile({ name, type: "text/plain", kind: "text", size: bytes.length, text, ...facts }, () => [bytes]);
}

/** Returns a picture. @param bytes its size, at least that of its header */
export function pictureFile(name: string, width = 640, height = 480, bytes = 100): SampleFile {
  const content = pngBytes(width, height, bytes);
  const facts = { name, type: "image/png", kind: "picture", size: content.length, width, height } as const;
  return new SampleFile(facts, () => [content]);
}

/** Returns a PDF. `text`: its readable text. */
export function pdfFile(
  name: string,
  {
    pages = 1,
    text = "",
    remark,
    bytes = 0,
  }: { pages?: number; text?: string; remark?: PromptFile["remark"]; bytes?: number } = {},
): SampleFile {
  const content = pdfBytes(pages, bytes);
  const facts = { name, type: "application/pdf", kind: "pdf", size: content.length, pages, text, remark } as const;
  return new SampleFile(facts, () => [content]);
}

/** Returns bytes with the signature and the header of a PNG; the rest is zeros. */
export function pngBytes(width: number, height: number, size = 100): Buffer {
  const bytes = Buffer.alloc(Math.max(size, 33));
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** Returns bytes that begin like a PDF and name its pages. */
export function pdfBytes(pages: number, size = 0): Buffer {
  const content = Buffer.from(`%PDF-1.7\n${"<</Type /Page>>\n".repeat(pages)}%%EOF\n`);
  return Buffer.concat([content, Buffer.alloc(Math.max(0, size - content.length))]);
}
