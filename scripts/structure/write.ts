// `npm run zones`: writes the picture that is generated from scripts/zones.ts.
import { writeFileSync } from "node:fs";
import { zoneTable } from "../zones.ts";
import { architectureFile, generatedArchitecture } from "./generated.ts";

writeFileSync(architectureFile, generatedArchitecture(zoneTable));
