import type { Harness } from "../harness.ts";
import type { Guarantee } from "../report.ts";
import type { Turn } from "./turn.ts";

/** Sends a question, reads its reply to the end, and measures the pauses between its events, reasoning included. */
export async function followFlow(
  { client, report }: Pick<Harness, "client" | "report">,
  turn: Turn,
  pause: Guarantee,
): Promise<void> {
  let before: number | undefined;
  const onText = () => {
    const at = performance.now();
    // From the first piece, as the answer to the request may be late.
    if (before !== undefined) report.measure(pause, at - before, "", at);
    if (turn.reader.text !== "" || turn.reader.view.parts.length > 0) before = at;
  };
  await client.send(turn, { onText });
}
