import { fastify } from "fastify";
import { expect, it } from "vitest";
import { sendFileBytes } from "./send-file-bytes.ts";

it("HEAD of a file has its size, and reads none of its bytes", async () => {
  let reads = 0;
  async function* read() {
    reads += 1;
    yield Buffer.from("Words");
  }
  await using app = fastify();
  const file = { id: "a", name: "a.txt", type: "text/plain", kind: "text" as const, size: 5 };
  app.get("/file", (_request, reply) => sendFileBytes(reply, file, read()));
  const head = await app.inject({ method: "HEAD", url: "/file" });
  expect([head.statusCode, head.headers["content-length"], head.body, reads]).toEqual([200, "5", "", 0]);
  expect((await app.inject({ url: "/file" })).body).toBe("Words");
});
