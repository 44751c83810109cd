import { expect, test } from "vitest";
import { ownAddressProblem } from "./own-server-address.ts";

test.each([
  ["npx -y @example/server", "program"],
  ["/usr/local/bin/server", "program"],
  ["~/server.js", "program"],
  ["file:///etc/passwd", "program"],
  ["shop", "invalid"],
  ["shop.example.org/mcp", "invalid"],
  ["localhost:3000/mcp", "invalid"],
  ["ftp://shop.example.org", "invalid"],
  ["https://", "invalid"],
  ["http://shop.example.org/mcp", "insecure"],
  ["http://127.0.0.1.example.org/mcp", "insecure"],
  ["https://ada:secret@shop.example.org/mcp", "credentials"],
  ["https://shop.example.org/mcp#part", "fragment"],
] as const)("%s cannot be the address of a person's server, because it is %s", (entered, problem) => {
  expect(ownAddressProblem(entered, URL.parse(entered))).toBe(problem);
});

test.each([
  "https://shop.example.org/mcp?tools=all",
  "HTTPS://shop.example.org",
  "http://127.0.0.1:3000/mcp",
  "http://localhost:3000/mcp",
  "http://[::1]:3000/mcp",
])("%s can be the address of a person's server", (entered) => {
  expect(ownAddressProblem(entered, URL.parse(entered))).toBeUndefined();
});
