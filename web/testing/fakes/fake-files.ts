/** For tests: the server's calls for attached files, with the rules of the real ones. */

import {
  type AttachedFile,
  FILE_NAME_HEADER,
  UPLOAD_LENGTH_HEADER,
  UPLOAD_OFFSET_HEADER,
} from "#contract/files/files.ts";
import type { Transport } from "../../api/client.ts";
import type { FakeAnswer, FakeCall } from "./fake-api.ts";

type Stored = { bytes: Uint8Array; size: number; name: string; type: string; file: AttachedFile | null };
type Fault = FakeAnswer | "lost" | "lost after storing";

/** Sends without reports of progress; the whole body counts as sent when it is answered. */
export const plainTransport = (): Transport => (url, request) => fetch(url, request);

/** A server of attached files. `faults`: answers to the next pieces instead of the usual one, in order. */
export class FakeFiles {
  readonly stored = new Map<string, Stored>();
  readonly faults: Fault[] = [];
  /** Calls of each kind, as `PUT 0-99/200`, `PUT *\/200`, `HEAD` and `DELETE`. */
  readonly log: string[] = [];
  /** Whether a message names a file, which then cannot be removed. */
  isSent = (_id: string): boolean => false;
  /** Delays the answers to pieces until it resolves. */
  gate: Promise<void> = Promise.resolve();

  /** Replaces the global `fetch`, for these calls only. */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? "GET";
    const id = url.split("/").at(-1) ?? "";
    const headers = new Headers(init.headers);
    init.signal?.throwIfAborted();
    if (method === "HEAD") return this.#head(id);
    if (method === "DELETE") return this.#delete(id);
    const body = init.body instanceof Blob ? new Uint8Array(await init.body.arrayBuffer()) : new Uint8Array();
    const range = headers.get("content-range") ?? "";
    this.log.push(`PUT ${range.replace("bytes ", "")}`);
    const fault = this.faults.shift();
    await this.#waitFor(init.signal ?? null);
    if (fault === "lost") throw new TypeError("Failed to fetch");
    if (fault !== undefined && fault !== "lost after storing") return toResponse(fault, method, url, headers);
    const name = decodeURIComponent(headers.get(FILE_NAME_HEADER) ?? "");
    const answer = this.#put(id, range, body, name);
    if (fault === "lost after storing") throw new TypeError("Failed to fetch");
    return answer;
  };

  bytesOf(id: string): string {
    return new TextDecoder().decode(this.stored.get(id)?.bytes);
  }

  async #waitFor(signal: AbortSignal | null): Promise<void> {
    const left = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => left.reject(signal.reason));
    await Promise.race([this.gate, left.promise]);
  }

  #put(id: string, range: string, body: Uint8Array, name: string): Response {
    const [, from, size] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(range) ?? [];
    const known = this.stored.get(id);
    if (known?.file) return Response.json({ stored: known.bytes.length, file: known.file });
    if (!known && from === undefined) return refusal(404, "not-found");
    const type = name.endsWith(".jpg") ? "image/jpeg" : "text/plain";
    const now = known ?? { bytes: new Uint8Array(), size: Number(size), name, type, file: null };
    this.stored.set(id, now);
    if (now.size !== Number(size)) return refusal(409, "upload-moved");
    if (from !== undefined && Number(from) !== now.bytes.length) return refusal(409, "upload-moved");
    now.bytes = new Uint8Array([...now.bytes, ...body]);
    if (now.bytes.length < now.size) return Response.json({ stored: now.bytes.length });
    now.file = { id, name, type: now.type, size: now.size };
    return Response.json({ stored: now.size, file: now.file });
  }

  #head(id: string): Response {
    this.log.push("HEAD");
    const known = this.stored.get(id);
    if (!known) return new Response(null, { status: 404 });
    const headers = { [UPLOAD_OFFSET_HEADER]: String(known.bytes.length), [UPLOAD_LENGTH_HEADER]: String(known.size) };
    return new Response(null, { headers });
  }

  #delete(id: string): Response {
    this.log.push("DELETE");
    if (this.isSent(id)) return refusal(409, "file-sent");
    return this.stored.delete(id) ? new Response(null, { status: 204 }) : refusal(404, "not-found");
  }
}

const refusal = (status: number, code: string): Response =>
  Response.json({ detail: "No.", error: "No.", code }, { status });

async function toResponse(answer: FakeAnswer, method: string, url: string, headers: Headers): Promise<Response> {
  const call: FakeCall = { method, path: url, headers, body: undefined, signal: null };
  if (typeof answer === "function") return answer(call);
  const text = "text" in answer ? answer.text : JSON.stringify(answer.json);
  return new Response(text, { status: answer.status ?? 200 });
}
