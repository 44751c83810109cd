import { expect, it } from "vitest";
import { Failure } from "../failure.ts";
import { Passwords } from "./passwords.ts";

const QUEUE = 64;
const flow = { network: "192.0.2.1", account: "ada" };

it.each([
  { cores: 2, atOnce: 1 },
  { cores: 3, atOnce: 2 },
])(
  "computes $atOnce hashes at a time on $cores cores, queues 64, and refuses the others",
  async ({ cores, atOnce }) => {
    const passwords = new Passwords({ cores });
    const hashes = Array.from({ length: QUEUE + 4 }, () => passwords.hash("correct horse battery", flow));
    const outcomes = await Promise.allSettled(hashes);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(4 - atOnce);
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
      expect("reason" in outcome && outcome.reason).toBeInstanceOf(Failure);
    }
    expect(new Set(outcomes.flatMap((outcome) => ("value" in outcome ? [outcome.value] : []))).size).toBe(
      QUEUE + atOnce,
    );
  },
);
