import { afterAll, beforeAll, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { type ArrayBody, arrayBodies } from "../../testing/http/largest-arrays.ts";

let app: TestApp;
let bodies: ArrayBody[];
beforeAll(async () => {
  app = await startTestApp();
  bodies = arrayBodies(await (await app.call("GET", "/docs/json")).json());
});
afterAll(() => app[Symbol.asyncDispose]());

const part = "300 bytes and its body against the quotas; a row of a page";
const file = "a part; the file's bytes against the quota";
const toolGroups = "50 short slugs in a row of the account";
const message = "300 bytes and its text against the quotas; a row of a page";

/** What bounds the elements of each array of a request beside its `maxItems`: its weight, or that nothing is stored. */
const weights: Record<string, string> = {
  "POST /chat/{id}/message parts": part,
  "POST /chat/{id}/message files": file,
  "POST /chat/{id}/send files": file,
  "POST /chat tools": toolGroups,
  "PATCH /chat/{id} tools": toolGroups,
  "POST /presets tools": toolGroups,
  "PATCH /presets/{id} tools": toolGroups,
  "POST /chat/{id}/decision decisions": "an approval each, removed with its account, for one of the calls of a reply",
  "POST /chat/{id}/decision decisions[].answers.forms": "removed with the answer, for one of the calls of a reply",
  "POST /temporary/reply tools": "nothing is stored",
  "POST /import chats[].tools": toolGroups,
  "POST /import presets[].tools": toolGroups,
  "POST /chat-batch ids": "no new rows",
  "PATCH /admin/groups/{id} models": "of an administrator",
  "POST /admin/groups models": "of an administrator",
  "POST /admin/invitations/bulk lines": "of a manager; 100 bytes beside an address, and removed after its end",
  "POST /admin/connections headers": "of an owner",
  "PATCH /admin/connections/{id} headers": "of an owner",
  "PATCH /admin/connections/{id}/models changes": "of an owner",
  "PATCH /admin/connections/{id}/models changes[].overrides.efforts": "of an owner",
  "PUT /admin/connections/automatic values": "of an owner",
  "PUT /admin/connections/order slugs": "of an owner",
  "POST /admin/identity-providers groupRules": "of an owner",
  "POST /admin/identity-providers roleRules": "of an owner",
  "PATCH /admin/identity-providers/{id} groupRules": "of an owner",
  "PATCH /admin/identity-providers/{id} roleRules": "of an owner",
  "PUT /admin/identity-provider-order slugs": "of an owner",
  "POST /admin/mcp-servers headers": "of an owner",
  "POST /admin/mcp-servers groups": "of an owner",
  "POST /admin/mcp-servers chosenTools": "of an owner",
  "PATCH /admin/mcp-servers/{id} headers": "of an owner",
  "PATCH /admin/mcp-servers/{id} groups": "of an owner",
  "PATCH /admin/mcp-servers/{id} chosenTools": "of an owner",
  "POST /admin/mcp-server-check headers": "of an owner",
  "PATCH /admin/settings registrationDomains": "of an owner",
  "PATCH /admin/settings trustedNetworks": "of an owner",
  "PATCH /admin/setup skipped": "of an owner",
  "POST /admin/accounts/actions ids": "no new rows",
  "POST /temporary/reply messages": "nothing is stored, a body of 1 MB",
  "POST /temporary/reply messages[].files": "nothing is stored",
  "POST /temporary/reply messages[].called": "nothing is stored",
  "POST /import chats": "a change, counted by the limit of imports",
  "POST /import chats[].messages": message,
  "POST /import chats[].messages[].parts": part,
  "POST /import chats[].messages[].seams": "8 bytes against the quotas",
  "POST /import folders": "FOLDERS_MAX of an account",
  "POST /import presets": "PRESETS_MAX of an account",
};

it("K9 every array of a request has a weight, and a new one is named here with its own", () => {
  const found = bodies.map(({ route, array }) => `${route} ${array}`);
  expect([...new Set(found)].sort()).toEqual(Object.keys(weights).sort());
});

it("K9 a message with one part more than the maximum is refused, and one with the maximum is not", async () => {
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", conversationPaths.chats, { token, body: {} })).json()) as {
    id: string;
  };
  const parts = bodies.find(({ route, array }) => route === "POST /chat/{id}/message" && array === "parts");
  const send = (count: number) =>
    app.call("POST", conversationPaths.chatMessage(id), { token, body: parts?.of(count) });
  const most = parts?.maxItems ?? Number.NaN;
  expect((await send(most)).status).toBe(201);
  expect((await send(most + 1)).status).toBe(400);
});
