import type { SsoAnswer } from "#contract/accounts/single-sign-on.ts";
import { Store } from "../../store/store.ts";

/** Answer of a provider that the page of security sends: the server may ask for a proof, which is shown there. */
export const pendingConnection = new Store<SsoAnswer | null>(null);
