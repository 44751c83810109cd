import type { Message } from "#contract/conversation/conversation.ts";
import type { Report } from "../report.ts";
import type { Turn } from "./turn.ts";

/**
 * Checks that a reply that one run has written has both passages of reasoning, each whole, with its duration. Replies
 * to questions without reasoning are not counted.
 */
export function checkReasoning(report: Report, claim: string, turn: Turn, reply: Message | undefined): void {
  const whole = turn.question.thoughts.join("");
  if (whole === "") return;
  const reasoning = (reply?.parts ?? []).filter(({ kind }) => kind === "reasoning");
  const areWhole = reasoning.every(({ text, durationMs }) => text === whole && typeof durationMs === "number");
  report.check(claim, reasoning.length === 2 && areWhole, `reply ${turn.replyId}: ${JSON.stringify(reasoning)}`);
}
