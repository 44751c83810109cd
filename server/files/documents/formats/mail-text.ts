import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { MAIL_TYPE } from "../../media-type.ts";
import { MAX_TEXT_CHARS } from "../document-text.ts";
import { readPlainText } from "../plain-text.ts";
import { htmlText } from "./html-text.ts";

/** Forwarded mails in forwarded mails, of which deeper ones are named only. */
const MAX_DEPTH = 10;
/** Some exports of mailboxes put a byte order mark, an empty line or the separator of the mbox format first, which are no fields. */
const SEPARATOR = /^(?:\xEF\xBB\xBF)?\s*(?:From [^\n]*\n)?/;
const SAMPLE = 64 * 1024;

/**
 * Returns a mail (RFC 5322, MIME) as readers show it: its addresses, date and subject, its text, and the names and sizes
 * of its attachments, which are not read. The plain text is preferred to HTML. Forwarded mails are below it, as mails of
 * their own.
 */
export async function mailText(bytes: Uint8Array): Promise<string> {
  return (await readMail(bytes, 0)).trim();
}

async function readMail(bytes: Uint8Array, depth: number): Promise<string> {
  const mail = await PostalMime.parse(parseable(bytes), { forceRfc822Attachments: true });
  const isRead = ({ mimeType }: Attachment) => mimeType === MAIL_TYPE && depth < MAX_DEPTH;
  const blocks = [headOf(mail), bodyOf(mail), attachmentLines(mail.attachments.filter((one) => !isRead(one)))];
  let length = blocks.join().length;
  for (const { content } of mail.attachments.filter(isRead)) {
    if (length > MAX_TEXT_CHARS) break;
    const inner = `[Forwarded mail]\n${await readMail(bytesOf(content), depth + 1)}`;
    length += inner.length;
    blocks.push(inner);
  }
  return blocks.filter((block) => block !== "").join("\n\n");
}

/**
 * Returns a mail without its separator. Fields that name no character set are in UTF-8 or, in old mails, in Windows-1252,
 * and so is the body if nothing names one.
 */
function parseable(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, SAMPLE)).toString("latin1");
  const separator = SEPARATOR.exec(start)?.[0].length ?? 0;
  const fields = start.slice(separator).search(/\r?\n\r?\n/);
  const end = /charset\s*=/i.test(start) ? separator + Math.max(0, fields) : bytes.length;
  const unnamed = bytes.subarray(separator, end);
  if (unnamed.includes(0)) return bytes.subarray(separator);
  return Buffer.concat([Buffer.from(readPlainText(unnamed)), bytes.subarray(end)]);
}

function headOf({ headers, from, to = [], cc = [], subject = "" }: Email): string {
  const date = headers.find(({ key }) => key === "date")?.value ?? "";
  const fields = [
    ["From", from === undefined ? "" : addressOf(from)],
    ["To", to.map(addressOf).join(", ")],
    ["Cc", cc.map(addressOf).join(", ")],
    ["Date", date],
    ["Subject", subject],
  ] as const;
  return fields.flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${oneLine(value)}`])).join("\n");
}

/** Returns a value of an untrusted field on one line. */
const oneLine = (value: string) => value.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();

function addressOf({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(addressOf).join(", ")}`;
  return name === "" ? address : `${name} <${address}>`;
}

function bodyOf({ text = "", html = "" }: Email): string {
  const plain = text.replaceAll(/\r\n?/g, "\n").trim();
  return plain === "" && html !== "" ? htmlText(html) : plain;
}

function attachmentLines(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return "";
  const lines = attachments.map(({ filename, mimeType, content }) => {
    const size = bytesOf(content).length;
    return `- ${oneLine(filename ?? "") || "(no name)"} (${oneLine(mimeType)}, ${size} bytes)`;
  });
  return `[Attachments, which were not read]\n${lines.join("\n")}`;
}

function bytesOf(content: Attachment["content"]): Uint8Array {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
