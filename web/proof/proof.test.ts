import { afterEach, expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { Declined } from "../forms/failure-text.ts";
import { answerProof, isProofAsked, withProof } from "./proof.ts";

const needed = new ApiError(403, "proof", { code: "proof-needed" });

/** Returns a request that yields these answers in order; errors are thrown. */
function asks(...answers: unknown[]) {
  let times = 0;
  return async () => {
    const answer = answers[times++];
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

afterEach(() => answerProof(false));

test("no proof is requested if the request needs none", async () => {
  await expect(withProof(asks("done"))).resolves.toBe("done");
  await expect(withProof(asks(new ApiError(403, "csrf", { code: "csrf" })))).rejects.toMatchObject({ code: "csrf" });
  expect(isProofAsked()).toBe(false);
});

test("the request is retried exactly once after the proof", async () => {
  const done = withProof(asks(needed, "done"));
  const stubborn = withProof(asks(needed, needed, "never"));
  await expect.poll(isProofAsked).toBe(true);
  answerProof(true);
  await expect(done).resolves.toBe("done");
  await expect(stubborn).rejects.toBe(needed);
  expect(isProofAsked()).toBe(false);
});

test("a declined proof rejects the waiting requests, and is not requested again", async () => {
  const one = withProof(asks(needed, "never"));
  const other = withProof(asks(needed, "never"));
  await expect.poll(isProofAsked).toBe(true);
  answerProof(false);
  await expect(one).rejects.toBeInstanceOf(Declined);
  await expect(other).rejects.toBeInstanceOf(Declined);
});
