import { expect, test } from "vitest";
import { replyStateProblems } from "./reply-states.ts";
import { parseSourceFile } from "./source-files.ts";

test("a product file that compares the state of a running reply is reported", () => {
  const text = 'if (row.state === "writing") throw new Failure("reply-running");\n';
  expect(replyStateProblems([parseSourceFile("server/conversation/example.ts", text)])).toEqual([
    'server/conversation/example.ts: a running reply is recognised by contract/conversation/reply-state.ts, not by "writing"',
  ]);
});

test.each([
  ["contract/conversation/reply-state.ts", 'export const RUNNING = "writing" satisfies MessageState;\n'],
  ["server/conversation/example.test.ts", 'expect(reply.state).toBe("writing");\n'],
  ["server/database/migrations/0001-initial.ts", 'export const state = sql.lit("writing");\n'],
  ["web/ui/keys/shortcuts.ts", 'export const send = { group: "writing", scope: "box" };\n'],
])("the name of the state in %s is allowed", (path, text) => {
  expect(replyStateProblems([parseSourceFile(path, text)])).toEqual([]);
});
