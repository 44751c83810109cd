/** Files that messages of other services name. */

import type { Piece } from "./foreign-chat.ts";

const UNKNOWN_TYPE = "application/octet-stream";
/** The head of a `data:` address (RFC 2397). Group 1: media type; 2: parameters. */
const DATA_HEAD = /^data:([^,;]*)((?:;[^,;]*)*),/i;
const BASE64 = /^[\w+/-]*={0,2}$/;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** `id`: a UUID; `name` may be empty; `size` in bytes, 0 if the service does not say it. */
type FileFacts = { id: string; name: string; type?: string; size?: number };

export const isWebAddress = (address: string): boolean => WEB_ADDRESS.test(address);

/** Returns a file whose bytes the service does not export. */
export function absentFile({ id, name, type, size = 0 }: FileFacts): Piece {
  // Some services note an extension in place of a media type.
  return { kind: "file", file: { id, name, type: type?.includes("/") ? type : UNKNOWN_TYPE, size, source: null } };
}

/** Returns a file of which the service exports the text. */
export function textFile({ id, name }: FileFacts, text: string): Piece {
  return {
    kind: "file",
    file: { id, name: name || "text.txt", type: "text/plain", size: text.length, source: { text } },
  };
}

/** Returns the file at an address: its bytes if it is a `data:` address, else one without bytes. */
export function fileAt(address: string, facts: FileFacts): Piece {
  const head = DATA_HEAD.exec(address);
  if (!head) return absentFile(facts);
  const type = head[1]?.toLowerCase() || facts.type || UNKNOWN_TYPE;
  const named = { ...facts, type, name: facts.name || nameOfType(type) };
  const data = address.slice(head[0].length);
  return /;\s*base64\s*$/i.test(head[2] ?? "") ? base64File(named, data) : textFile(named, unescaped(data));
}

/** Returns a file of base64; one without bytes if it is not well-formed. */
export function base64File(facts: FileFacts, given: string): Piece {
  const base64 = given.replaceAll(/\s+/g, "");
  if (base64 === "" || !BASE64.test(base64)) return absentFile(facts);
  const padding = base64.endsWith("==") ? 2 : Number(base64.endsWith("="));
  const size = Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
  const type = facts.type || UNKNOWN_TYPE;
  return { kind: "file", file: { id: facts.id, name: facts.name || nameOfType(type), type, size, source: { base64 } } };
}

/** Returns a name such as `image.png`. */
function nameOfType(type: string): string {
  const [, kind, format] = /^(\w+)\/(\w+)/.exec(type) ?? [];
  return kind && format ? `${kind}.${format}` : "";
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
