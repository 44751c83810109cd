import type { Random } from "../../testing/random.ts";

const NAMES = [
  "x-forwarded-for",
  "x-real-ip",
  "x-client-ip",
  "x-forwarded",
  "x-cluster-client-ip",
  "x-originating-ip",
  "x-remote-ip",
  "x-remote-addr",
  "cf-connecting-ip",
  "cf-connecting-ipv6",
  "true-client-ip",
  "fastly-client-ip",
  "forwarded-for",
  "via",
];

/** Every header by which somebody may claim to come from elsewhere, each time from somewhere else. */
export function claimedOrigins(random: Random): Record<string, string> {
  const address = Array.from({ length: 4 }, () => random.between(1, 254)).join(".");
  const all = NAMES.map((name) => [name, address]);
  return {
    ...Object.fromEntries(all),
    forwarded: `for=${address};proto=https`,
    "x-forwarded-for": `${address}, 10.0.0.1`,
  };
}
