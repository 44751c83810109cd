import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Socket address for a folder. Abstract sockets and named pipes vanish with their process; a stale file is replaced.
 */
function addressFor(folder) {
  const name = `parley-prepare-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  if (process.platform === "linux") return { path: `\0${name}`, isFile: false };
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\${name}`, isFile: false };
  return { path: join(tmpdir(), `${name}.sock`), isFile: true };
}

const listen = (path) =>
  new Promise((resolve, reject) => {
    // Other processes wait on a connection, which closes when this process releases the lock or exits.
    const waiting = new Set();
    const server = net.createServer((socket) => {
      waiting.add(socket);
      socket.on("error", () => {}).on("close", () => waiting.delete(socket));
    });
    server.once("error", reject);
    server.listen(path, () => {
      server.unref();
      resolve(() => {
        server.close();
        for (const socket of waiting) socket.destroy();
      });
    });
  });

/** Waits until the holder has released the lock; false if nothing listens. */
const holderGone = (path) =>
  new Promise((resolve) => {
    const socket = net.connect(path);
    let isConnected = false;
    socket.on("connect", () => {
      isConnected = true;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(isConnected));
    socket.resume();
  });

/**
 * Acquires the lock of a folder; a second caller, in any process of this machine, waits. The lock is a listening
 * socket, which the system closes when its process exits for any reason: there are no stale locks.
 * @param {string} folder
 * @param {() => void} onWait called once when another holds it
 * @returns {Promise<() => void>} releases it
 */
export async function holdLock(folder, onWait) {
  const { path, isFile } = addressFor(folder);
  for (let hasTold = false; ; ) {
    try {
      return await listen(path);
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
    if (!hasTold) onWait();
    hasTold = true;
    if (!(await holderGone(path)) && isFile) rmSync(path, { force: true });
  }
}
