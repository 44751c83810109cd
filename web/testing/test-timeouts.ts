/** Setup of each test file: on a busy machine, waiting for an element may take longer than the default second. */

import { configure } from "@testing-library/dom";

configure({ asyncUtilTimeout: 15_000 });
