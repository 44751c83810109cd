import { expect, it } from "vitest";
import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

it("a list of 700 models is compressed for clients that accept it, and the same for others", async () => {
  await using provider = await startScriptedProvider();
  provider.models = Array.from({ length: 700 }, (_, at) => ({
    id: `vendor-${at % 7}/model-${at}`,
    context_length: 8192,
  }));
  await using app = await startTestApp({ env: { LOCAL_BASE_URL: provider.baseUrl } });
  const { token } = await signUp(app);
  const answers = await Promise.all(
    ["identity", "gzip"].map((encoding) =>
      app.call("GET", modelPaths.models, { token, headers: { "accept-encoding": encoding } }),
    ),
  );
  const [plain, packed] = answers;
  expect([plain?.headers.get("content-encoding"), packed?.headers.get("content-encoding")]).toEqual([null, "gzip"]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(texts[1]).toBe(texts[0]);
  expect(modelListSchema.parse(JSON.parse(texts[0] ?? "")).at(-1)?.models).toHaveLength(700);
  expect(Number(packed?.headers.get("content-length"))).toBeLessThan(60_000);
});
