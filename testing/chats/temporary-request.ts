import { conversationPaths } from "#contract/conversation/paths.ts";
import type { TemporaryMessage, TemporaryRequest } from "#contract/conversation/temporary.ts";

import type { TestAccount } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** A file of a question; by default a short text. `size`: as the request says it, by default that of the bytes. */
export type AskedFile = { id?: string; name?: string; bytes?: Uint8Array | string; size?: number };
/** A message: a text, or a question with files. */
export type AskedMessage = string | { text?: string; files: readonly AskedFile[] };

export type AskedFiles = { request: TemporaryRequest; bytes: Buffer };

/** Returns a request of alternate questions and answers, and the bytes of its files. */
export function temporaryRequest(messages: readonly AskedMessage[], more: Partial<TemporaryRequest> = {}): AskedFiles {
  const bytes: Buffer[] = [];
  const toMessage = (message: AskedMessage, at: number): TemporaryMessage => {
    const role = at % 2 === 0 ? "user" : "assistant";
    if (typeof message === "string") return { role, content: message };
    const files = message.files.map(
      ({ id = crypto.randomUUID(), name = "note.txt", bytes: given = "A note", size }) => {
        const own = Buffer.from(given);
        bytes.push(own);
        return { id, name, size: size ?? own.length };
      },
    );
    return { role, content: message.text ?? "What is in it?", files };
  };
  return { request: { messages: messages.map(toMessage), ...more }, bytes: Buffer.concat(bytes) };
}

/** Returns the body of a request with files. */
export function framedBody({ request, bytes }: { request: unknown; bytes: Uint8Array }): Buffer {
  const head = Buffer.from(JSON.stringify(request));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, bytes]);
}

/** `cut`: bytes that are missing at the end of the body. */
export type TemporaryCall = {
  app: TestApp;
  account: TestAccount;
  signal?: AbortSignal | undefined;
  cut?: number;
  headers?: Record<string, string>;
};

/** Sends a conversation with files. */
export function askTemporary(
  messages: readonly AskedMessage[],
  more: Partial<TemporaryRequest>,
  { app, account, signal, cut = 0, headers = {} }: TemporaryCall,
): Promise<Response> {
  const whole = framedBody(temporaryRequest(messages, more));
  const body = whole.subarray(0, whole.length - cut);
  return app.call("POST", conversationPaths.temporaryReply, {
    token: account.token,
    body,
    headers,
    ...(signal && { signal }),
  });
}
