//! What a report says of a KEP beside its findings.

use crate::kep::Kep;
use crate::kep::field::Field;
use crate::kep::number;
use crate::kep::schema::is_template_value;
use crate::stage::{Release, Stage};

/// Which KEP it is, and where it is in its life, as its files say. What is missing is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// The number of its directory, or else of kep.yaml, without leading zeros.
    pub number: Option<String>,
    /// The title in kep.yaml, or else in the README, without the number.
    pub title: Option<String>,
    pub status: Option<String>,
    /// The SIG of its directory, or else of kep.yaml.
    pub sig: Option<String>,
    pub owning_sig: Option<String>,
    pub latest_milestone: Option<String>,
    /// `milestone` as written, in the order of the stages.
    pub milestones: Vec<(Stage, String)>,
    /// How many sections the template requires of it.
    pub required: usize,
}

impl About {
    /// Whose KEP it is: what kep.yaml says, or else its directory.
    pub fn owner(&self) -> Option<&String> {
        self.owning_sig.as_ref().or(self.sig.as_ref())
    }

    /// What the files of `kep` say of it in this release; the template requires so many sections.
    pub fn of(kep: &Kep, current: Release, required: usize) -> Self {
        let metadata = kep.metadata.as_ref();
        let mut milestones: Vec<(Stage, String)> = metadata
            .into_iter()
            .flat_map(|metadata| &metadata.milestones)
            .map(|(stage, field)| (*stage, field.text.clone()))
            .collect();
        milestones.sort_by_key(|(stage, _)| *stage);
        let title = text("title", metadata.and_then(|metadata| metadata.title.as_ref()));
        let written = metadata.and_then(|metadata| metadata.number.as_ref());
        let written = written.filter(|number| number.text.parse::<u32>().is_ok_and(|number| number > 0));
        let number = kep.number().map(str::to_owned);
        let owning_sig = text("owning-sig", metadata.and_then(|metadata| metadata.owning_sig.as_ref()));
        Self {
            number: number.or_else(|| written.map(|field| number::without_zeros(&field.text).to_owned())),
            title: title
                .map(|title| kep.texts.layout.without_number(&title).to_owned())
                .or_else(|| heading(kep))
                .filter(|title| !title.is_empty()),
            status: text("status", metadata.and_then(|metadata| metadata.status.as_ref())),
            sig: kep.texts.sig().map(str::to_owned).or_else(|| owning_sig.clone()),
            owning_sig,
            latest_milestone: text("latest-milestone", metadata.and_then(|it| it.latest_milestone.as_ref()))
                .or_else(|| Some(kep.target(current)?.release.to_string())),
            milestones,
            required,
        }
    }
}

/// The text of the field `key`, unless it is the template's.
fn text<T>(key: &str, field: Option<&Field<T>>) -> Option<String> {
    let says_something = |text: &&str| !text.is_empty() && (key != "title" || !is_template_value(key, text));
    field.map(|field| field.text.trim()).filter(says_something).map(str::to_owned)
}

fn heading(kep: &Kep) -> Option<String> {
    let document = kep.readme.as_ref()?;
    let title = &document.sections.get(document.sections.title()?).title.text;
    (!title.contains("NNNN")).then(|| kep.texts.layout.without_number(title).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::texts::{Role, Texts};
    use crate::source::SourceFile;

    fn about(directory: &str, readme: &str, metadata: &str) -> About {
        let texts = Texts::new(directory)
            .with(Role::Readme, SourceFile::decode("README.md", readme.as_bytes().to_vec()))
            .with(Role::Metadata, SourceFile::decode("kep.yaml", metadata.as_bytes().to_vec()));
        About::of(&Kep::parse(texts), Release::default(), 0)
    }

    #[test]
    fn the_title_is_that_of_the_metadata_or_else_the_heading() {
        let title = |readme, metadata| about("keps/sig-node/7-x", readme, metadata).title;
        assert_eq!(title("# KEP-7: One\n", "title: KEP-7 Two\n").as_deref(), Some("Two"));
        assert_eq!(title("# KEP-7: One\n", "stage: beta\n").as_deref(), Some("One"));
        assert_eq!(title("# KEP-NNNN: Your short, descriptive title\n", "title: KEP Template\n"), None);
        assert_eq!(title("text\n", ""), None);
    }

    #[test]
    fn what_the_files_say_is_kept_as_written() {
        let text = "kep-number: 0012\nstatus: nonsense\nowning-sig: sig-x\nlatest-milestone: v1.30\nmilestone:\n  \
                    stable: v1.31\n  alpha: v1.29\n";
        let draft = about("keps/sig-node/drafts", "", text);
        let milestones = [(Stage::Alpha, "v1.29".to_owned()), (Stage::Stable, "v1.31".to_owned())];
        assert_eq!((draft.number.as_deref(), draft.status.as_deref()), (Some("12"), Some("nonsense")));
        assert_eq!((draft.owning_sig.as_deref(), draft.latest_milestone.as_deref()), (Some("sig-x"), Some("v1.30")));
        assert_eq!(draft.milestones, milestones);
        assert_eq!(draft.sig.as_deref(), Some("sig-node"));
        assert_eq!(about("keps/sig-node/0034-x", "", "kep-number: 1\n").number.as_deref(), Some("34"));
    }
}
