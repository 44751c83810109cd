/**
 * Preloaded into a measured server: each SIGUSR2 writes a heap snapshot into `SNAPSHOT_DIR` and prints
 * `snapshot N: PATH`, N counting from 1.
 */
import { join } from "node:path";
import process from "node:process";
import { writeHeapSnapshot } from "node:v8";

let count = 0;
process.on("SIGUSR2", () => {
  count++;
  const path = writeHeapSnapshot(join(process.env.SNAPSHOT_DIR ?? ".", `${count}.heapsnapshot`));
  console.log(`snapshot ${count}: ${path}`);
});
