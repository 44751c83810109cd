import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transferPaths } from "#contract/transfer/paths.ts";
import { IMPORT_BODY_MAX } from "#contract/transfer/transfer.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { structureSteps } from "./json-structure.ts";

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await signUp(app));
});
afterAll(() => app[Symbol.asyncDispose]());

/** Sends a text unchanged as the body of an import. */
async function send(body: string): Promise<[status: number, code: string | undefined]> {
  const response = await fetch(`${app.url}/api${transferPaths.import}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  return [response.status, ((await response.json()) as { code?: string }).code];
}

const sign = '{"format":"parley-export","version":1,"chats":[';
const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(",")}}`;

describe("K1 costly JSON", () => {
  it.each([
    ["empty arrays", `${sign}${"[],".repeat(300_001)}0]}`],
    ["empty objects", `${sign}${"{},".repeat(300_001)}0]}`],
    ["nested arrays", "[".repeat(400_000)],
    ["numbers", `${sign}${"1,".repeat(2_000_001)}1]}`],
    ["keys of one object", `${sign}${keys(20_000)}]}`],
  ])("costly JSON is refused before it is parsed: %s", async (_, body) => {
    expect(await send(body)).toEqual([400, "not-an-export"]);
  });

  it("brackets inside the text of a message are accepted", async () => {
    const content = `[]{}:,"\\"${'{"a":1},[],'.repeat(80_000)}`;
    const body = JSON.stringify(documentOf({ chats: [exported({ messages: [message({ content })] })] }));
    expect(await send(body)).toEqual([200, undefined]);
  });

  it("an import of 100,000 short messages is accepted", () => {
    const messages = Array<unknown>(50_000).fill(message({ content: "", seams: [1] }));
    const body = JSON.stringify(documentOf({ chats: [{ messages }, { messages }] }));
    expect(body.length).toBeGreaterThan(0.85 * IMPORT_BODY_MAX);
    expect(() => [...structureSteps(body)]).not.toThrow();
  });

  it.each([
    ["white space", " "],
    ["quotes in one string", '\\"'],
    ["backslashes in one string", "\\\\"],
    ["short strings", '"" '],
  ])("JSON is scanned in steps of 128 kB: %s", (name, pattern) => {
    const text = `${name.endsWith("string") ? '"' : ""}${pattern.repeat(IMPORT_BODY_MAX / pattern.length)}"`;
    const steps = [...structureSteps(text)].length;
    if (pattern !== "\\\\") expect(steps).toBeGreaterThan(120);
    expect(steps).toBeLessThan(150);
  });
});
