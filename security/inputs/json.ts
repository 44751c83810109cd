import { beside, type JsonInput, suite } from "../attacks/json-values.ts";
import { inBatches } from "../clients/in-batches.ts";
import { signUp } from "../clients/person.ts";
import { type ApiRoute, answeringRoutes, describedRoutes } from "../routes/api-routes.ts";
import { type RouteHarness, routeHarness } from "../routes/route-harness.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

/** Number of routes for each input in a short run. */
const SHORT_ROUTES = 4;

/** J4: valid JSON, invalid JSON and invalid UTF-8, on every route that may take a body. */
export const json: Suite = {
  name: "json",
  async run(harness) {
    await using site = await harness.startSite({ hasGoogle: true });
    const routes = answeringRoutes(await describedRoutes(site)).filter(({ method }) => method !== "GET");
    const on = await routeHarness(site, await signUp(site));
    await tryInputs(harness, { site, routes, on }, "the JSON test suite on the routes that take bodies", suite);
    await tryInputs(harness, { site, routes, on }, "other values and bytes on the same routes", beside);
  },
};

type JsonHarness = { site: Site; routes: ApiRoute[]; on: RouteHarness };

async function tryInputs(
  { report, random, isShort }: Harness,
  { site, routes, on }: JsonHarness,
  tried: string,
  inputs: readonly JsonInput[],
): Promise<void> {
  const { pid } = site.server;
  const each = (input: JsonInput) =>
    (isShort ? random.sample(routes, SHORT_ROUTES) : routes).map((route) => ({ route, input }));
  const all = inputs.flatMap(each);
  await report.try("J4", tried, async (trial) => {
    await inBatches(all, async ({ route, input }) => {
      const { method } = route;
      const path = on.path(route);
      const headers = { "content-type": "application/json" };
      const { status, text } = await site.send({ method, path, token: on.token(route), body: input.bytes, headers });
      // An empty body counts as one without fields.
      const isNone = route.body === undefined || (input.bytes.length === 0 && (route.body.required ?? []).length === 0);
      const isRefused = input.isJson !== false || isNone || status === 400;
      trial.expect(status < 500 && isRefused, () => `${method} ${path} with ${input.name}: ${status} ${text}`);
    });
    trial.expect(site.server.pid === pid, "the process is the same");
  });
}
