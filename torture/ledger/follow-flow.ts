import type { Harness } from "../harness.ts";
import type { Guarantee } from "../report.ts";
import type { Turn } from "./turn.ts";

/**
 * Sends a question, reads its reply to the end, and measures the pauses between its events, reasoning included.
 * `onBegin` is called when the first text or reasoning arrives, and again until the end.
 */
export async function followFlow(
  { client, report }: Pick<Harness, "client" | "report">,
  turn: Turn,
  { pause, onBegin }: { pause: Guarantee; onBegin?: () => void },
): Promise<void> {
  let before: number | undefined;
  const onText = () => {
    const at = performance.now();
    // From the first piece, as the answer to the request may be late.
    if (before !== undefined) report.measure(pause, at - before, "", at);
    if (turn.reader.text === "" && turn.reader.view.parts.length === 0) return;
    before = at;
    onBegin?.();
  };
  await client.send(turn, { onText });
}
