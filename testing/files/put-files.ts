import process from "node:process";
import { CommittingDatabase } from "../../server/database/after-commit.ts";
import { newId } from "../../server/database/new-id.ts";
import { openAsItIs } from "../../server/database/open.ts";
import { openSqliteDialect } from "../../server/database/sqlite/sqlite.ts";
import { openStores, type StoresSettings } from "../../server/files/stores/open-stores.ts";
import { PIECES, pieceOf } from "./numbered-pieces.ts";

/** `postgresUrl`: of the database for rows. `pieceBytes`: size of a piece. */
export type PutFilesArgument = StoresSettings & { postgresUrl: string | undefined; pieceBytes: number };

/** Puts files into a store until it is killed. Sends a message before each piece. The argument is JSON. */
const { postgresUrl, pieceBytes, ...settings }: PutFilesArgument = JSON.parse(process.argv[2] ?? "");
process.on("disconnect", () => process.exit());
const database =
  postgresUrl === undefined
    ? new CommittingDatabase(openSqliteDialect(":memory:"))
    : await openAsItIs({ dataDir: settings.dataDir, postgresUrl });
const { files } = await openStores({ database, ...settings });

async function* piecesOf(key: string): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < PIECES; n++) {
    process.send?.(n);
    yield pieceOf(key, n, pieceBytes);
  }
}

for (;;) {
  const key = newId();
  await files.put(key, piecesOf(key));
}
