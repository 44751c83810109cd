import { runServer } from "./run-server.ts";

/** Entry point of the server. */

await runServer();
