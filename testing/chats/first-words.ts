import { readEvents, type StreamEvent } from "../http/read-events.ts";

/** Reads a streamed send up to its first words. @returns the remaining events, and the id of the reply */
export async function readFirstWords(
  response: Response,
): Promise<{ events: AsyncGenerator<StreamEvent | "[DONE]">; reply: string }> {
  const events = readEvents(response);
  let reply = "";
  for (let event = await events.next(); !event.done; event = await events.next()) {
    if (event.value === "[DONE]") continue;
    reply ||= event.value.reply ?? "";
    if (event.value.token) break;
  }
  return { events, reply };
}
