import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A socket's address for a folder. Abstract sockets and named pipes vanish with their process; a file is taken over. */
function addressFor(folder) {
  const name = `parley-prepare-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  if (process.platform === "linux") return { path: `\0${name}`, isFile: false };
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\${name}`, isFile: false };
  return { path: join(tmpdir(), `${name}.sock`), isFile: true };
}

const listen = (path) =>
  new Promise((resolve, reject) => {
    // The others wait on their connection: it closes when we close the server or die.
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

/** Waits until the holder is gone; false where nobody answers. */
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
 * Holds the one lock of a folder; a second caller, in any process of this machine, waits. It rests on a listening
 * socket, which the system closes when its process dies, however it dies: there is no stale lock to judge.
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
