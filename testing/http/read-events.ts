import type { MessagePart } from "#contract/conversation/parts.ts";

export type StreamEvent = {
  reply?: string;
  writer?: string;
  token?: string;
  at?: number;
  run?: number;
  rev?: number;
  seam?: number;
  part?: MessagePart & { rev: number };
  thought?: string;
  seq?: number;
  length?: number;
  error?: string;
  code?: string;
  retryAfterMs?: number;
};

/** Yields the events of a reply's stream: JSON values, and then the end mark, if there is one. */
export async function* readEvents(response: {
  readonly body: AsyncIterable<Uint8Array> | null;
}): AsyncGenerator<StreamEvent | "[DONE]"> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") continue;
      if (!line.startsWith("data:")) throw new Error(`Only data lines may be sent: ${line}`);
      const data = line.slice(5).trim();
      if (data === "[DONE]") yield data;
      else if (data !== "") yield JSON.parse(data) as StreamEvent;
    }
  }
}

/** Reads a whole stream: its first event, the joined text, its failure if any, and whether it has an end mark. */
export async function readReply(response: Response) {
  const result = { reply: "", from: 0, text: "", failure: undefined as StreamEvent | undefined, isDone: false };
  for await (const event of readEvents(response)) {
    if (event === "[DONE]") result.isDone = true;
    else if (event.reply !== undefined) Object.assign(result, { reply: event.reply, from: event.at });
    else if (event.token !== undefined) result.text += event.token;
    else if (event.error !== undefined) result.failure = event;
  }
  return result;
}
