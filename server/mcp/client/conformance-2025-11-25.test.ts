import { expect, it } from "vitest";
import { requiredScenarios, runScenario } from "../../../testing/mcp/conformance.ts";

const scenarios = requiredScenarios("2025-11-25", { ofSignIns: false });

it.concurrent.each(scenarios)("the client passes the scenario %s of the revision 2025-11-25", async (scenario) => {
  expect(await runScenario(scenario, "2025-11-25")).toContain("OVERALL: PASSED");
});
