import { expect, it } from "vitest";
import { SECOND } from "#contract/limits.ts";
import { TestClock } from "../../../../testing/app/start-test-app.ts";
import type { Model } from "../../../models/model.ts";
import { ModelError } from "../../../models/model-error.ts";
import { RetryTimes } from "./retry-times.ts";

const [first, second] = ["GPT:first", "GPT:second"].map((value) => ({ value }) as Model) as [Model, Model];
const limited = (seconds: number) => new ModelError("assistant-busy", { status: 429, retryAfterMs: seconds * SECOND });

it("the wait of a reply is the shortest of its models, without the time that has passed", () => {
  const clock = new TestClock();
  const times = new RetryTimes(clock);
  expect(times.retryAfterMs).toBeUndefined();
  times.note(first, limited(40));
  clock.advance(5 * SECOND);
  expect(times.retryAfterMs).toBe(35 * SECOND);
  times.note(second, limited(20));
  expect(times.retryAfterMs).toBe(20 * SECOND);
  clock.advance(25 * SECOND);
  expect(times.retryAfterMs).toBe(SECOND);
});

it("the wait of a model ends with a failure of it that names none", () => {
  const times = new RetryTimes(new TestClock());
  times.note(first, limited(40));
  times.note(first, new ModelError("assistant-busy", { status: 429 }));
  expect(times.retryAfterMs).toBeUndefined();
});
