/** The yardstick: a Node server that requests `SOURCE` and forwards its bytes unchanged, and does nothing else. */
import { createServer, request } from "node:http";
import process from "node:process";
import { listen } from "../harness/listen.ts";

const source = process.env.SOURCE ?? "";
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  request(source, { method: "POST" }, (answer) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    answer.pipe(outgoing);
  }).end("{}");
});
listen(server);
