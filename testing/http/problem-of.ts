import { type Problem, problemSchema } from "#contract/errors.ts";

/** The problem document of a refused request. @throws ZodError where the body is none */
export async function problemOf(response: Response): Promise<Problem> {
  return problemSchema.parse(await response.json());
}
