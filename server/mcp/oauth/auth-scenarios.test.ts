import { expect, test } from "vitest";
import { requiredScenarios, revisions, runScenario } from "../../../testing/mcp/conformance.ts";

const scenarios = revisions.flatMap((revision) =>
  requiredScenarios(revision, { ofSignIns: true }).map((scenario) => ({ scenario, revision })),
);

test.concurrent.each(scenarios)(
  "the flow passes the official scenario $scenario of the revision $revision",
  async ({ scenario, revision }) => {
    expect(await runScenario(scenario, revision)).toContain("OVERALL: PASSED");
  },
);
