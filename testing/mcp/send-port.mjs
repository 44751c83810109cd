// Loaded before a server that names no free port: sends the port that it listens on to the process that started it.
import { Server } from "node:net";

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once("listening", () => process.send?.({ port: this.address().port }));
  return listen.apply(this, args);
};
