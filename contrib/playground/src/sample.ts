// The KEP to look at first: the one of the project's README.

import review from "../../../fixtures/demo/keps/prod-readiness/sig-node/1.yaml";
import metadata from "../../../fixtures/demo/keps/sig-node/1-prefetch-images/kep.yaml";
import readme from "../../../fixtures/demo/keps/sig-node/1-prefetch-images/README.md";
import type { Kep } from "./contract";

export function sample(): Kep {
  return { directory: "keps/sig-node/1-prefetch-images", readme, metadata, review, others: {} };
}
