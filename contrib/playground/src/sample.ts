// The KEP to look at first: the one of the project's README.

import review from "../../../fixtures/demo/keps/prod-readiness/sig-node/1.yaml";
import metadata from "../../../fixtures/demo/keps/sig-node/1-prefetch-images/kep.yaml";
import readme from "../../../fixtures/demo/keps/sig-node/1-prefetch-images/README.md";
import type { Kep } from "./contract";

/** Its place is that which kep.yaml says, so that it can be written into another KEP. */
export function sample(): Kep {
  return { directory: null, readme, metadata, review, others: {} };
}
