import { expect, it } from "vitest";
import { PARTS_MAX } from "#contract/limits.ts";
import { ReplyParts } from "./reply-parts.ts";

it("drops the parts beyond the limit, of a provider that sends reasoning and words in turn", () => {
  const events: unknown[] = [];
  const note = (...event: unknown[]) => void events.push(event);
  const parts = new ReplyParts(1, [], { onPart: note, onThought: note });
  for (let at = 0; at < PARTS_MAX + 10; at++) {
    parts.appendReasoning("Hm.", at);
    parts.endReasoning();
  }
  parts.addNotice("cut", { messages: 2 }, 0);
  expect(parts.all).toHaveLength(PARTS_MAX);
  expect(parts.rev).toBe(2 * PARTS_MAX);
  expect(events).toHaveLength(3 * PARTS_MAX);
});
