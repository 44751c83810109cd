import { createHash } from "node:crypto";
import { leadingZeros, workDemandSchema } from "#contract/accounts/work.ts";

/** Returns a solution of the proof of work that a refused sign-in asks for. */
export async function solveWork(refused: Response): Promise<string> {
  const { work } = workDemandSchema.parse(await refused.clone().json());
  for (let number = 0; ; number++) {
    const solution = `${work.challenge}.${number.toString(36)}`;
    if (leadingZeros(createHash("sha256").update(solution).digest()) >= work.bits) return solution;
  }
}
