import { expect, it } from "vitest";
import { requiredScenarios, runScenario } from "../../../testing/mcp/conformance.ts";

const scenarios = requiredScenarios("2026-07-28", { ofSignIns: false });

it.concurrent.each(scenarios)("the client passes the scenario %s of the revision 2026-07-28", async (scenario) => {
  expect(await runScenario(scenario, "2026-07-28")).toContain("OVERALL: PASSED");
});
