/** Set-up file of web tests: defines `MessageChannel`, which contexts of Vitest's vmForks do not inherit from Node. */

import { MessageChannel } from "node:worker_threads";

Object.assign(globalThis, { MessageChannel });
