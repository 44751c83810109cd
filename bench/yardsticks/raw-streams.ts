/** The yardstick: a Node server that opens an event stream for each request, or answers `/whole`, and does nothing else. */
import { createServer } from "node:http";
import { listen } from "../harness/listen.ts";

const server = createServer(({ url }, outgoing) => {
  if (url === "/whole") return outgoing.end("{}");
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  return outgoing.write("data:\n\n");
});
listen(server);
