import { expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.ts";

const ENV = { MCP_FILE: "/etc/mcp.json", SHOP_KEY: "secret-value" };

const parse = (servers: unknown, env: Record<string, string> = ENV) =>
  parseConfig(env, () => (typeof servers === "string" ? servers : JSON.stringify({ servers })));

function problemsOf(servers: unknown, env?: Record<string, string>): readonly string[] {
  try {
    parse(servers, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it("the servers of MCP_FILE are secrets, with values of the environment in their headers", () => {
  const { config, secrets } = parse([
    {
      name: "The Shop",
      url: "https://shop.test/mcp",
      headers: { Authorization: { env: "SHOP_KEY" }, "X-Team": "blue" },
    },
    {
      name: "Files",
      slug: "disk",
      command: ["node", "disk.js"],
      env: { KEY: { env: "SHOP_KEY" } },
      trusted: true,
      groups: ["Staff"],
      tools: ["read"],
    },
  ]);
  expect(JSON.stringify(config)).not.toContain("secret-value");
  expect(secrets.mcpServers).toEqual([
    {
      key: "file:the-shop",
      slug: "the-shop",
      name: "The Shop",
      source: "file",
      transport: {
        kind: "http",
        url: "https://shop.test/mcp",
        headers: { Authorization: "secret-value", "X-Team": "blue" },
      },
      isTrusted: false,
      chosenTools: null,
      groups: null,
    },
    {
      key: "file:disk",
      slug: "disk",
      name: "Files",
      source: "file",
      transport: { kind: "stdio", command: ["node", "disk.js"], env: { KEY: "secret-value" } },
      isTrusted: true,
      chosenTools: ["read"],
      groups: ["Staff"],
    },
  ]);
});

it("without MCP_FILE there are no servers", () => {
  expect(parseConfig({}).secrets.mcpServers).toBeUndefined();
});

it("the start is refused with all wrong entries of MCP_FILE, without values of the environment", () => {
  const url = "https://shop.test/mcp";
  const problems = problemsOf([
    { name: "Shop", url, headers: { Authorization: { env: "MISSING" } } },
    { name: "Shop", url },
    { name: "Shop", url },
    { name: "Web", url },
    { name: "Mine", slug: "my-server", url },
    { name: "Nothing" },
    { name: "Both", url, command: ["node"] },
    { name: "Login", url: "https://user:secret-value@shop.test/" },
    { name: "Odd", url, colour: "red" },
    { name: "漢字", url },
    { name: "Split", url, headers: { "X-Key": "a\r\nb" } },
    { url },
    "text",
  ]);
  expect(problems.every((problem) => problem.startsWith("MCP_FILE /etc/mcp.json: servers["))).toBe(true);
  const indexes = problems.map((problem) => Number(/servers\[(\d+)\]/.exec(problem)?.[1]));
  expect([...new Set(indexes)]).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(problems.join("\n")).toContain(
    "servers[0] headers.Authorization needs the variable MISSING, which is not set",
  );
  expect(problems.join("\n")).toContain("servers[8] has the unknown field colour");
  expect(problems.join("\n")).not.toContain("secret-value");
});

it.each(["", "[]", "{", '{"servers": {}}', '{"servers": [], "more": 1}'])("the MCP_FILE %j is refused", (text) => {
  expect(problemsOf(text)).toHaveLength(1);
});

it("an MCP_FILE that cannot be read is refused", () => {
  expect(() => parseConfig(ENV)).toThrow("MCP_FILE /etc/mcp.json cannot be read");
});
