import { afterEach, expect, test } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import { Declined } from "../form/failure-text.ts";
import { answerProof, isProofAsked, withProof } from "./proof.ts";

const needed = new ApiError(403, "proof", { code: "proof-needed" });

/** Answers by these in turn; errors are thrown. */
function asks(...answers: unknown[]) {
  let times = 0;
  return async () => {
    const answer = answers[times++];
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

afterEach(() => answerProof(false));

test("what needs no proof is not asked about", async () => {
  await expect(withProof(asks("done"))).resolves.toBe("done");
  await expect(withProof(asks(new ApiError(403, "csrf", { code: "csrf" })))).rejects.toMatchObject({ code: "csrf" });
  expect(isProofAsked()).toBe(false);
});

test("after the proof the request is made once more, and no more than that", async () => {
  const done = withProof(asks(needed, "done"));
  const stubborn = withProof(asks(needed, needed, "never"));
  await expect.poll(isProofAsked).toBe(true);
  answerProof(true);
  await expect(done).resolves.toBe("done");
  await expect(stubborn).rejects.toBe(needed);
  expect(isProofAsked()).toBe(false);
});

test("who declines is not asked again, and what waited for it is not done", async () => {
  const one = withProof(asks(needed, "never"));
  const other = withProof(asks(needed, "never"));
  await expect.poll(isProofAsked).toBe(true);
  answerProof(false);
  await expect(one).rejects.toBeInstanceOf(Declined);
  await expect(other).rejects.toBeInstanceOf(Declined);
});
