import { expect, test } from "vitest";
import { Random } from "../../testing/app/random.ts";
import { KillWindows } from "./kill-windows.ts";

const IN_A_ROW = 3;

test("after three kills the next one waits until every client has completed work", async () => {
  const lives = [{ done: 0 }, { done: 7 }];
  const windows = new KillWindows({ random: new Random("1"), paceMs: 0, lives });
  for (let count = 0; count < IN_A_ROW; count++) await windows.next();
  let isOpen = false;
  const sixth = windows.next().then(() => {
    isOpen = true;
  });
  const [first, second] = lives;
  if (first) first.done++;
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOpen).toBe(false);
  if (second) second.done++;
  await sixth;
  for (let count = 1; count < IN_A_ROW; count++) await windows.next();
  expect(isOpen).toBe(true);
});

test("no time between two kills is longer than one piece of work on this machine", async () => {
  const drawn: [number, number][] = [];
  const random = new Random("1");
  random.between = (lowest, highest) => {
    drawn.push([lowest, highest]);
    return 0;
  };
  const windows = new KillWindows({ random, paceMs: 1234.5, lives: [] });
  await windows.next();
  await windows.next();
  expect(drawn).toEqual([
    [0, 1235],
    [0, 1235],
  ]);
});
