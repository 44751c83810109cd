import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import type { DocumentPiece } from "./document-process.ts";

const ENTRY = fileURLToPath(new URL("./document-process.ts", import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function start({ maxMemoryMb = 512, serverPid = process.pid }): ChildProcess {
  const child = fork(ENTRY, [String(maxMemoryMb), String(serverPid)], {
    ...{ execArgv: [], env: {}, serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"] },
  });
  started.push(child);
  return child;
}

it("M4 the process of a document ends when its memory exceeds the limit", async () => {
  expect(await once(start({ maxMemoryMb: 1 }), "exit")).toEqual([null, "SIGKILL"]);
});

it("M4 the process of a document ends when the server was killed", async () => {
  expect(await once(start({ serverPid: process.pid + 1 }), "exit")).toEqual([null, "SIGKILL"]);
});

it("M4 the process of a document ends when the server ends", async () => {
  const child = start({});
  expect(await once(child, "message")).toEqual(["ready", undefined]);
  child.disconnect();
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("the process of a document reports whether it should read another, and leaves signals to the server", async () => {
  const child = start({ maxMemoryMb: 400 });
  await once(child, "message");
  for (const signal of ["SIGINT", "SIGTERM"] as const) child.kill(signal);
  for (const [bytes, isWorn] of [
    [Buffer.from("text"), false],
    [Buffer.alloc(60_000_000, "text"), true],
  ] as const) {
    child.send({ type: "text/plain", size: bytes.length, bytes } satisfies DocumentPiece);
    const [answer] = await once(child, "message");
    expect(answer.isWorn).toBe(isWorn);
  }
});
