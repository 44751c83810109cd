import process from "node:process";

/**
 * Entry point of the bundle. It parses on older versions of Node, so it imports the server, which does not, only after
 * it has checked the version.
 */

const NODE_MAJOR = 24;
/** The systemd unit does not restart after this code (docs/operation.md). */
const CONFIGURATION = 2;

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) {
  await import("./main.ts");
} else {
  process.stderr.write(`This server needs Node ${NODE_MAJOR} or newer, and this is Node ${process.versions.node}.\n`);
  process.exitCode = CONFIGURATION;
}
