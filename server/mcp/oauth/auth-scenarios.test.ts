import { expect, test } from "vitest";
import { authRevisions, authScenariosOf, runAuthScenario } from "../../../testing/mcp/auth-scenarios.ts";

const lists = authRevisions.map(async (revision) =>
  (await authScenariosOf(revision)).map((scenario) => ({ scenario, revision })),
);
const scenarios = (await Promise.all(lists)).flat();

test.concurrent.each(scenarios)(
  "the flow passes the official scenario $scenario of the revision $revision",
  async ({ scenario, revision }) => {
    expect(await runAuthScenario(scenario, revision)).toContain("OVERALL: PASSED");
  },
);
