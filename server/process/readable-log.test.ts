import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { toReadable } from "./readable-log.ts";

const readable = (fields: object) =>
  stripVTControlCharacters(toReadable(`${JSON.stringify({ level: 40, time: 0, ...fields })}\n`)).replace(
    /^\d\d:\d\d:\d\d /,
    "",
  );

it("a readable line has the message, then its fields, with quotes where they are needed", () => {
  const line = readable({ msg: "mail not delivered", mail: "7", reqId: "x", error: "read ECONNRESET", codes: [1, 2] });
  expect(line).toBe('warn  mail not delivered mail=7 error="read ECONNRESET" codes=[1,2]');
});

it("the stack of an error stands below its readable line", () => {
  const err = { type: "Error", message: "no", stack: "Error: no\n    at main.ts:1:1" };
  expect(readable({ level: 50, msg: "failed", err })).toBe("error failed\n    Error: no\n        at main.ts:1:1");
});

it("logged values cannot write control characters into a readable line", () => {
  for (const character of ["\u001b", "\u009b", "\u007f", "\r", "\u202e"]) {
    const values = { msg: `a${character}b`, path: `/c${character}d`, err: { stack: `e${character}f` } };
    expect(readable(values)).not.toContain(character);
    expect(toReadable(`no ${character} JSON\n`)).not.toContain(character);
  }
});
