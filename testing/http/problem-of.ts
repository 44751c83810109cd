import { type Problem, problemSchema } from "#contract/problem.ts";

/** Parses the problem document of a refused request. @throws ZodError if the body is another one */
export async function problemOf(response: Response): Promise<Problem> {
  return problemSchema.parse(await response.json());
}
