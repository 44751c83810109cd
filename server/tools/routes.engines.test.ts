import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";

async function listed(env: Record<string, string>): Promise<string[]> {
  await using app = await startTestApp({ env });
  const { token } = await signUp(app);
  const response = await app.call("GET", conversationPaths.tools, { token });
  return toolListSchema.parse(await response.json()).groups.map(({ slug }) => slug);
}

it("without a search engine the groups of tools are the account's chats and the basics", async () => {
  expect(await listed({})).toEqual(["chats", "basics"]);
});

it("a search engine adds the group of the web", async () => {
  expect(await listed({ SEARCH_URL: "http://127.0.0.1:9" })).toEqual(["web", "chats", "basics"]);
});
