/**
 * A provider that writes what the last question asks for, such as `table 100000 5500`: a shape, its length and how much
 * of it comes in a second. It also gives the yardsticks their page (`PAGES`) and the same words.
 */
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join, normalize } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import { beginStream, chunk, endStream } from "../ground/completion-stream.ts";
import { listen } from "../ground/listen.ts";
import { shapes, textOf, tokensOf } from "./shapes.ts";

const TICK_MS = 10;
const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

async function stream(response: ServerResponse, question: string): Promise<void> {
  const [name, length = "20", pace = "1000000"] = question.split(" ");
  const shape = shapes.find((each) => each === name);
  const tokens = shape ? tokensOf(textOf(shape, Number(length))) : ["A", " title"];
  beginStream(response, { "access-control-allow-origin": "*" });
  const startedAt = performance.now();
  for (let sent = 0, at = 0; sent < tokens.length && !response.destroyed; ) {
    const due = ((performance.now() - startedAt) / 1000) * Number(pace);
    while (sent < tokens.length && at <= due) {
      const content = tokens[sent] ?? "";
      response.write(chunk({ content }));
      at += content.length;
      sent += 1;
    }
    await setTimeout(TICK_MS);
  }
  endStream(response);
}

async function giveFile(response: ServerResponse, path: string): Promise<void> {
  const file = await readFile(join(process.env.PAGES ?? "", normalize(path))).catch(() => null);
  response.writeHead(file ? 200 : 404, { "content-type": TYPES[path.split(".").at(-1) ?? ""] ?? "text/plain" });
  response.end(file);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://bench");
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    if (pathname === "/words") void stream(response, searchParams.get("say") ?? "");
    else if (request.method === "GET") void giveFile(response, pathname);
    else {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const isTitle = messages[0]?.content.startsWith(TITLE_MARKER);
      void stream(response, isTitle ? "" : (messages.at(-1)?.content ?? ""));
    }
  });
});
listen(server);
