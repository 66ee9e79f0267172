//! The code of Kubernetes names the KEP at a feature gate that no kep.yaml lists.
//!
//! ## Why
//!
//! kep.yaml lists every gate of a feature, so that operators and the documentation find them. Gates that are added later are
//! often forgotten. The numbers in the comments of the code are sometimes wrong, so that the rule is off.
//!
//! ## Bad
//!
//! ```yaml keps/sig-api-machinery/4222-cbor-serializer/kep.yaml
//! status: implementable
//! latest-milestone: "v1.36"
//! feature-gates:
//!   - name: CBORServingAndStorage
//!     components:
//!       - kube-apiserver
//!   - name: ClientsAllowCBOR
//!     components:
//!       - kube-apiserver
//! ```
//!
//! ## Good
//!
//! ```yaml keps/sig-api-machinery/4222-cbor-serializer/kep.yaml
//! status: implementable
//! latest-milestone: "v1.36"
//! feature-gates:
//!   - name: CBORServingAndStorage
//!     components:
//!       - kube-apiserver
//!   - name: ClientsAllowCBOR
//!     components:
//!       - kube-apiserver
//!   - name: ClientsPreferCBOR
//!     components:
//!       - kube-apiserver
//! ```

use crate::gates::gate::Presence;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unlisted-feature-gate",
    summary: "the code of Kubernetes names the KEP at a feature gate that no kep.yaml lists",
    severity: Ladder::everywhere(Off),
    settings: &["groups", "feature-gates"],
    docs: docs!("unlisted_feature_gate.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Some(key) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.feature_gates_key) else { return };
    let Some(code) = ctx.in_code().filter(|code| code.unknown.is_empty()) else { return };
    let mut gates = code.named_for_this();
    gates.retain(|gate| gate.removed.is_none() && gate.presence(ctx.current) != Presence::NotYet);
    for gate in gates {
        let number = ctx.kep.number().unwrap_or_default();
        let of_kubernetes = if ctx.repository.has_groups { " of Kubernetes" } else { "" };
        let message = format!("the code{of_kubernetes} names KEP-{number} at `{}`, which no kep.yaml lists", gate.name);
        let help = "add it to `feature-gates` with its components, or correct the comment in the code";
        out.report(Diagnostic::at(key, message).help(help.to_owned()).subject(Subject::named([&gate.name])));
    }
}
