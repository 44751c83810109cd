import { errors } from "undici";
import { expect, test } from "vitest";
import { connectionFaultOf } from "./connection-fault.ts";
import { ProxyFailure } from "./proxy-failure.ts";

const coded = (code: string, cause?: unknown) => Object.assign(new Error("No", { cause }), { code });
const ring = new Error("No");
ring.cause = ring;

test.each([
  ["a timeout of undici while it connects", new errors.ConnectTimeoutError("No"), "connect-timeout"],
  ["the deepest known code", coded("UND_ERR_SOCKET", coded("CERT_HAS_EXPIRED")), "certificate-expired"],
  ["a cause behind an unknown code", coded("SOMETHING", coded("EHOSTUNREACH")), "no-route"],
  ["the addresses of a name", new AggregateError([new Error("No"), coded("ECONNREFUSED")]), "no-listener"],
  ["a proxy before its own cause", ProxyFailure.unreachable(new URL("http://proxy/"), coded("ECONNREFUSED")), "proxy"],
  ["a code that is a name of every object", coded("constructor"), undefined],
  ["causes in a ring", ring, undefined],
  ["a value that is no error", "ECONNREFUSED", undefined],
])("the fault of %s is found by its code", (_, error, fault) => {
  expect(connectionFaultOf(error)).toBe(fault);
});
