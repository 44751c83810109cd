/** Addresses of the typeface of diagrams, by scripts; the same files that the page uses. */

import cyrillic from "@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url";
import greek from "@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?url";
import latinExtended from "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url";
import latin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import vietnamese from "@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2?url";

export const fontAddresses = { latin, latinExtended, cyrillic, greek, vietnamese };
