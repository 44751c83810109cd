/** Before each file of tests: what is waited for on a screen may take a busy machine longer than a second. */

import { configure } from "@testing-library/dom";

configure({ asyncUtilTimeout: 15_000 });
