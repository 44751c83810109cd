/** Setup of each test file: on a busy machine, waiting for an element may take longer than the default second. */

import { configure } from "@testing-library/dom";

// `HANG_MS` of testing/app/wait-for.ts, which uses timers of Node that the browser's tests do not have.
configure({ asyncUtilTimeout: 60_000 });
