import process from "node:process";
import { runServer } from "../../server/run-server.ts";
import { remoteShop } from "./remote-shop.ts";

/** Entry point of the server with the tools of the `ShopServer` at `SHOP_URL`. */

await runServer({ toolGroups: [remoteShop(process.env.SHOP_URL ?? "")] });
