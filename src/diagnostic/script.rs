//! The scripts of kubernetes/enhancements that fail for some of what rules report. Apart from the rules, because a mark
//! belongs to one finding: the same rule may also report what these scripts accept.

/// A script of upstream's CI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// Checks kep.yaml, PRR files and `OWNERS_ALIASES`.
    Metadata,
    /// Checks tables of contents.
    Toc,
    /// Checks approvers against OWNERS files and SIG Node's tech leads.
    NodeApprovers,
}

impl Script {
    /// In the order in which upstream lists them.
    pub const ALL: [Self; 3] = [Self::Metadata, Self::Toc, Self::NodeApprovers];

    /// Its path in kubernetes/enhancements.
    pub fn path(self) -> &'static str {
        match self {
            Self::Metadata => "hack/verify-kep-metadata.sh",
            Self::Toc => "hack/verify-toc.sh",
            Self::NodeApprovers => "hack/verify-node-approvers.sh",
        }
    }
}
