/** Before each file of web tests: browsers have `MessageChannel`, the contexts of Vitest's vmForks do not inherit Node's. */

import { MessageChannel } from "node:worker_threads";

Object.assign(globalThis, { MessageChannel });
