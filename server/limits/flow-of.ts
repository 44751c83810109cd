import type { Flow } from "../concurrency/fair-queue.ts";
import { networkOf } from "./networks.ts";

/**
 * Returns the flow of a client's work, which decides its position in the queues of the process.
 * @param account identifies the account, or what stands for it before a sign-in
 */
export const flowOf = ({ ip }: { ip: string }, account: string): Flow => ({ network: networkOf(ip), account });
