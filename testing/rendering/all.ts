import { addresses, markdownAddresses } from "./addresses.ts";
import { clobbering, forms, styles } from "./effects.ts";
import { mathml, mutations, svg } from "./foreign.ts";
import { handlers } from "./handlers.ts";
import { beyondPolicy, loading, markdownLoading } from "./loading.ts";
import { fences, formulas, mixtures, wire } from "./mixtures.ts";
import { tags } from "./tags.ts";
import { type Vector, type VectorGroup, vectorsOf } from "./vector.ts";

export const groups: readonly VectorGroup[] = [
  tags,
  handlers,
  addresses,
  markdownAddresses,
  svg,
  mathml,
  mutations,
  clobbering,
  styles,
  forms,
  loading,
  beyondPolicy,
  markdownLoading,
  mixtures,
  formulas,
  fences,
  wire,
];

/** Number of written vectors, without their HTML variants. */
export const written = groups.reduce((sum, { vectors }) => sum + vectors.length, 0);

/** All vectors; HTML also within a reply that is HTML. */
export const vectors: readonly Vector[] = groups.flatMap(vectorsOf);
