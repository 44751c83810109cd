import fc from "fast-check";
import { expect, it } from "vitest";
import { isInNetworks, networkOf, siteOf } from "./networks.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:a:b:c:d", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
  ["1:2:3:4:5:6:7.8.9.10", "1:2:3:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
  ["", "unknown"],
  ["unknown", "unknown"],
  ["203.0.113.7, 10.0.0.1", "unknown"],
  ["203.0.113.256", "unknown"],
  ["1.2.3", "unknown"],
  [":::", "unknown"],
  ["%", "unknown"],
])("B4 the network of %j is %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ["2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["0:0:0:0::/64", "0:0:0::/48"],
  ["203.0.113.7", null],
  ["unknown", null],
  ["user 2001:db8:1:2::/64", null],
])("K6 %j belongs to the larger network %j", (network, site) => {
  expect(siteOf(network)).toBe(site);
});

it.each([
  ["192.168.7.9", ["192.168.0.0/16"], true],
  ["::ffff:192.168.7.9", ["192.168.0.0/16"], true],
  ["192.169.0.1", ["192.168.0.0/16", "10.0.0.0/8"], false],
  ["203.0.113.7", ["203.0.113.7"], true],
  ["203.0.113.8", ["203.0.113.7"], false],
  ["fd00:1::2", ["fd00::/8"], true],
  ["fd00:1::2%eth0", ["fd00::/8"], true],
  ["fe80::1", ["fd00::/8", "192.168.0.0/16"], false],
  ["192.168.7.9", [], false],
  ["", ["192.168.0.0/16"], false],
  ["unknown", ["192.168.0.0/16"], false],
] as const)("B4 the address %j is in the networks %j: %s", (address, networks, isIn) => {
  expect(isInNetworks(address, networks)).toBe(isIn);
});

const group = fc.nat(0xff_ff);
const groups = fc.array(group, { minLength: 8, maxLength: 8 });
const hex = (numbers: number[]) => numbers.map((number) => number.toString(16));

/** Returns an address in one of the forms of RFC 4291: leading zeros, a run of zeros omitted, or four decimal bytes. */
function formsOf(numbers: number[]): string[] {
  const [g = 0, h = 0] = numbers.slice(6);
  const plain = hex(numbers).join(":");
  return [
    plain,
    plain.toUpperCase(),
    numbers.map((number) => number.toString(16).padStart(4, "0")).join(":"),
    plain
      .replace(/\b0(:0)+\b/, ":")
      .replace(/^:$|^:(?!:)|(?<!:):$/, "::")
      .replace(/:::+/, "::"),
    `${hex(numbers.slice(0, 6)).join(":")}:${g >> 8}.${g & 0xff}.${h >> 8}.${h & 0xff}`,
    `${plain}%eth0`,
  ];
}

it("B4 every form of an IPv6 address has the network of its first four groups", () => {
  const someZero = groups.chain((numbers) =>
    fc
      .array(fc.boolean(), { minLength: 8, maxLength: 8 })
      .map((isZero) => numbers.map((n, at) => (isZero[at] ? 0 : n))),
  );
  fc.assert(
    fc.property(someZero, (numbers) => {
      fc.pre(!(numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xff_ff));
      const network = `${hex(numbers.slice(0, 4)).join(":")}::/64`;
      expect(formsOf(numbers).map(networkOf)).toEqual(formsOf(numbers).map(() => network));
      expect(siteOf(network)).toBe(`${hex(numbers.slice(0, 3)).join(":")}::/48`);
    }),
  );
});

it("B4 every form of an IPv4-mapped address is the IPv4 address", () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const [a = 0, b = 0, c = 0, d = 0] = ip.split(".").map(Number);
      const mapped = [0, 0, 0, 0, 0, 0xff_ff, a * 256 + b, c * 256 + d];
      expect([ip, `::ffff:${ip}`, ...formsOf(mapped)].map(networkOf)).toEqual(Array(8).fill(ip));
    }),
  );
});

it("B4 an invalid address never throws, and has no larger network", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(networkOf(text)).toBe("unknown");
      expect(siteOf(text)).toBe(null);
    }),
  );
});
