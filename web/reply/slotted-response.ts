import type { Slot } from "./reply-slots.ts";

/**
 * Ties the response of `ask` to a slot: an event stream releases the slot at its end, and ends when another tab takes
 * the slot over. Any other response releases it at once.
 */
export async function askWithSlot(slot: Slot, ask: () => Promise<Response>): Promise<Response> {
  try {
    const response = await ask();
    if (isOpenStream(response)) return holdSlot(slot, response);
    slot.release();
    return response;
  } catch (cause) {
    slot.release();
    throw cause;
  }
}

/** Whether the response is a running event stream. */
export const isOpenStream = (response: Response) =>
  response.status === 200 &&
  response.body !== null &&
  (response.headers.get("content-type") ?? "").startsWith("text/event-stream");

const LINE_FEED = 0x0a;

/** Wraps a stream so that it ends with its slot, but not before the end of its first line, which has the reply's id. */
export function holdSlot(slot: Slot, response: Response): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  let hasBegun = false;
  const leave = () => void (hasBegun && reader.cancel().catch(() => {}));
  slot.lost.addEventListener("abort", leave);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          slot.release();
          controller.close();
          return;
        }
        controller.enqueue(value);
        hasBegun ||= value.includes(LINE_FEED);
        if (slot.lost.aborted) leave();
      } catch (cause) {
        slot.release();
        controller.error(cause);
      }
    },
    async cancel(reason) {
      slot.release();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { headers: response.headers });
}
