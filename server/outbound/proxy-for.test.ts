import { expect, it } from "vitest";
import { proxyFor } from "./proxy-for.ts";

const proxies = { http: "http://plain.test:3128", https: "http://secure.test:3128" };
const hostOf = (address: string, noProxy?: string) =>
  proxyFor(new URL(address), { ...proxies, ...(noProxy !== undefined && { noProxy }) })?.hostname;

it("each scheme has its own proxy, and none that is not set", () => {
  expect(hostOf("http://provider.test/v1")).toBe("plain.test");
  expect(hostOf("https://provider.test/v1")).toBe("secure.test");
  expect(proxyFor(new URL("https://provider.test"), { http: proxies.http })).toBeUndefined();
  expect(proxyFor(new URL("http://provider.test"), { https: proxies.https })).toBeUndefined();
});

it.each([
  "http://localhost:11434",
  "http://127.0.0.1",
  "https://127.1.2.3:8443",
  "http://[::1]:80",
  "http://a.localhost",
])("the address %s of this machine is reached directly", (address) => {
  expect(hostOf(address)).toBeUndefined();
});

it.each([
  ["*", "https://provider.test"],
  ["provider.test", "https://provider.test"],
  ["other.test, PROVIDER.test", "https://provider.test"],
  ["other.test provider.test", "https://provider.test"],
  ["provider.test", "https://eu.provider.test"],
  [".provider.test", "https://eu.provider.test"],
  [".provider.test", "https://provider.test"],
  ["*.provider.test", "https://eu.provider.test"],
  ["provider.test:443", "https://provider.test"],
  ["provider.test:8443", "https://provider.test:8443"],
  ["provider.test", "https://provider.test./v1"],
  ["10.0.0.7", "http://10.0.0.7:8000"],
  ["10.0.0.0/8", "http://10.9.8.7:8000"],
  ["fd00::/8", "http://[fd00::7]:8000"],
  ["[fd00::7]:8000", "http://[fd00::7]:8000"],
  ["fd00::7", "http://[fd00::7]"],
])("NO_PROXY=%s reaches %s directly", (noProxy, address) => {
  expect(hostOf(address, noProxy)).toBeUndefined();
});

it.each([
  ["", "https://provider.test"],
  ["rovider.test", "https://provider.test"],
  ["*.provider.test", "https://provider.test"],
  ["provider.test:80", "https://provider.test"],
  ["10.0.0.0/8", "http://11.0.0.1"],
  ["10.0.0.0/8", "http://[fd00::7]"],
  ["0.7", "http://10.0.0.7"],
  ["10.0.0.0/8", "http://provider.test"],
])("NO_PROXY=%s does not concern %s", (noProxy, address) => {
  expect(hostOf(address, noProxy)).toBeDefined();
});
