import { expect, test } from "vitest";
import { bounded, ClientError, GaveUp, persist, settleAll, wordsOf } from "./bounded.ts";

const AT_ONCE = { pauseMs: 0 };

test("repeats an attempt until it returns a value", async () => {
  const answers = [undefined, null, false, "accepted"];
  expect(await persist("it was not accepted", () => answers.shift(), AT_ONCE)).toBe("accepted");
});

test("gives up attempts after the limit with a sentence for the report", async () => {
  const endless = persist("the file was not accepted", () => false, { giveUpMs: 5, pauseMs: 1 });
  await expect(endless).rejects.toThrow(/^the file was not accepted within 5 ms, in \d+ attempts$/);
  await expect(endless).rejects.toBeInstanceOf(GaveUp);
});

test("an attempt that throws ends the series with its error", async () => {
  const failing = persist("it was not accepted", () => Promise.reject(new ClientError("refused")), AT_ONCE);
  await expect(failing).rejects.toThrow("refused");
});

test("gives up a promise that does not settle within the limit", async () => {
  const never = new Promise(() => {});
  await expect(bounded("the server did not end", never, 5)).rejects.toThrow("the server did not end within 5 ms");
  expect(await bounded("the server did not end", Promise.resolve(0))).toBe(0);
});

test("rejects only after every promise has settled, without an unhandled rejection", async () => {
  const events: string[] = [];
  const slow = Promise.withResolvers<void>();
  const all = settleAll([Promise.reject(new Error("early")), slow.promise.then(() => events.push("slow has ended"))]);
  const reported = expect(all.finally(() => events.push("all have ended"))).rejects.toThrow("early");
  // An unhandled rejection would be emitted before the next iteration of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  slow.resolve();
  await reported;
  expect(events).toEqual(["slow has ended", "all have ended"]);
});

test("returns the values of all promises in the order of the list", async () => {
  expect(await settleAll([Promise.resolve(1), "two"])).toEqual([1, "two"]);
});

test("reports the failure of a client as a sentence and any other error with its stack", () => {
  expect(wordsOf(new GaveUp("the reply has not ended"))).toBe("the reply has not ended");
  expect(wordsOf(new TypeError("a mistake"))).toMatch(/^TypeError: a mistake\n\s+at /);
});
