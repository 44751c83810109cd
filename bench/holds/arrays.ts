import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { CHATS_AT_ONCE, CHATS_LISTED_MAX } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { IMPORT_CHATS_MAX } from "#contract/transfer/transfer.ts";
import { PASSWORD } from "../../testing/accounts/sign-up.ts";
import { type ArrayBody, arrayBodies } from "../../testing/http/largest-arrays.ts";
import { upload } from "../harness/upload.ts";
import type { Row } from "../results/row.ts";
import { fullestChats } from "./fullest-chats.ts";
import { type Caller, type LoopDelay, longestOf, type Measured, send } from "./loop-delay.ts";

/** Reads of one chat at once, whose memory is measured. */
const READERS = 8;
const ALLOWED_MB = 400;

/** A full chat of an account, named by what it is full of. */
export type StoredChat = { id: string; name: string };

/**
 * Measures the longest block of the event loop for the largest arrays of the contract: each request with an array at its
 * maximum length, and each read of the chats that are fullest of one kind of element.
 * @returns the rows, and those chats
 */
export async function measureArrays(caller: Caller, loop: LoopDelay): Promise<{ rows: Row[]; chats: StoredChat[] }> {
  const longest = longestOf("arrays");
  const { call } = caller;
  const measure = async (name: string, elements: string, work: () => Promise<unknown>) => {
    await loop.read();
    await work();
    longest.note({ call: name, input: elements, ...(await loop.read()) } satisfies Measured);
  };
  const bodies = arrayBodies(await (await call("GET", "/docs/json")).json());
  await measureRequests(caller, bodies, measure);
  const file = await upload(caller.parley, caller.token, { name: "a.txt", bytes: Buffer.from("a") });
  const chats: StoredChat[] = [];
  for (const { name, document } of fullestChats(bodies, file)) {
    await send(call("POST", accountPaths.proof, { password: PASSWORD }));
    await measure("import of a full chat", name, () => send(call("POST", transferPaths.import, document)));
    const title = document.chats[0]?.title;
    const { id } = (await listChats(caller)).find((chat) => chat.title === title) ?? { id: "" };
    chats.push({ id, name });
    for (const [reading, path] of Object.entries(readings(id))) {
      await measure(`${reading} of a full chat`, name, () => read(caller, path));
    }
    const leaf = await leafOf(caller, id);
    await measure("branch of a full chat", name, () =>
      send(call("POST", conversationPaths.chatBranch(id), { message: leaf })),
    );
    await measure("eight reads at once of a full chat", name, () => readAtOnce(caller, id));
    await measure("send in a full chat", name, () =>
      send(call("POST", conversationPaths.chatSend(id), { message: "And?" })),
    );
  }
  await measureLists(caller, bodies, measure);
  return { rows: longest.rows(), chats };
}

/** Measures the memory of eight reads of a full chat at once, by a server that has done nothing else. */
export async function measureReaders(caller: Caller, chats: readonly StoredChat[]): Promise<Row> {
  let worst = { mb: 0, name: "" };
  for (const { id, name } of chats) {
    caller.parley.process.resetPeak();
    await readAtOnce(caller, id);
    const mb = caller.parley.process.peakMb();
    if (mb > worst.mb) worst = { mb, name };
  }
  return {
    name: `eight reads at once of a chat full of ${worst.name}`,
    value: worst.mb,
    unit: "MB",
    allowed: ALLOWED_MB,
  };
}

const readAtOnce = (caller: Caller, id: string) =>
  Promise.all(Array.from({ length: READERS }, () => read(caller, conversationPaths.chat(id))));

async function read({ call }: Caller, path: string): Promise<void> {
  const status = await send(call("GET", path));
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

const readings = (id: string) => ({
  "the chat": conversationPaths.chat(id),
  "its tree": conversationPaths.chatTree(id),
  "Markdown export": `${transferPaths.chatExport(id)}?format=markdown`,
  "JSON export": `${transferPaths.chatExport(id)}?format=json`,
  "HTML export": `${transferPaths.chatExport(id)}?format=html`,
  "export of all": transferPaths.export,
});

type Measure = (name: string, elements: string, work: () => Promise<unknown>) => Promise<void>;

/** Sends each request of an account with each of its arrays at the maximum length; files and chats do not exist. */
async function measureRequests({ call }: Caller, bodies: readonly ArrayBody[], measure: Measure): Promise<void> {
  const { id } = (await (await call("POST", conversationPaths.chats, {})).json()) as { id: string };
  for (const { route, array, maxItems, of } of bodies) {
    const [method = "", path = ""] = route.split(" ");
    if (maxItems === undefined || path.startsWith("/admin")) continue;
    const body = of(maxItems);
    await measure(route, `${maxItems} ${array}`, () => send(call(method, path.replace("{id}", id), body)));
  }
}

/** Measures the list of as many chats as it shows, and changes of as many as one call takes. */
async function measureLists(caller: Caller, bodies: readonly ArrayBody[], measure: Measure): Promise<void> {
  const { call } = caller;
  const chats = bodies.find(({ route, array }) => route === "POST /import" && array === "chats");
  for (let count = 0; count < CHATS_LISTED_MAX; count += IMPORT_CHATS_MAX) {
    const body = chats?.of(IMPORT_CHATS_MAX);
    await measure("import of chats", `${IMPORT_CHATS_MAX} chats`, () => send(call("POST", transferPaths.import, body)));
  }
  await measure("list of chats", `${CHATS_LISTED_MAX} chats`, () => send(call("GET", conversationPaths.chatHistory)));
  // The last ones, because the full chats are among the first.
  const ids = (await listChats(caller)).slice(-CHATS_AT_ONCE).map(({ id }) => id);
  for (const change of [{ isArchived: true }, { isDeleted: true }]) {
    await measure("change of chats", `${ids.length} chats`, () =>
      send(call("POST", conversationPaths.chatBatch, { ids, change })),
    );
  }
}

async function listChats({ call }: Caller): Promise<{ id: string; title: string }[]> {
  return (await (await call("GET", conversationPaths.chatHistory)).json()) as { id: string; title: string }[];
}

async function leafOf({ call }: Caller, id: string): Promise<string> {
  const { messages } = (await (await call("GET", conversationPaths.chatTree(id))).json()) as {
    messages: { id: string }[];
  };
  return messages[0]?.id ?? "";
}
