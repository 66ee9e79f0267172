//! The forms in which headings and titles of the template are compared.

use crate::markdown::section::SectionId;
use crate::markdown::title::Title;
use crate::span::tail;
use crate::template::Forms;
use std::borrow::Cow;

#[derive(Clone, Copy)]
pub enum Form {
    Exact,
    Stems,
    Question,
}

impl Form {
    fn of(self, title: &Title) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(&title.key),
            Self::Stems => Cow::Owned(title.stems()),
            Self::Question => Cow::Owned(title.question()),
        }
    }

    fn known<'a>(self, title: &'a Title, forms: &'a Forms) -> &'a str {
        match self {
            Self::Exact => &title.key,
            Self::Stems => &forms.stems,
            Self::Question => &forms.question,
        }
    }
}

pub struct Headings<'a> {
    form: Form,
    sorted: Vec<(Cow<'a, str>, SectionId)>,
}

impl<'a> Headings<'a> {
    pub fn new(form: Form, titles: impl Iterator<Item = (SectionId, &'a Title)>) -> Self {
        let mut sorted: Vec<(Cow<'a, str>, SectionId)> = titles.map(|(at, title)| (form.of(title), at)).collect();
        sorted.retain(|(own, _)| !own.is_empty());
        sorted.sort_unstable();
        Self { form, sorted }
    }

    pub fn are_none(&self) -> bool {
        self.sorted.is_empty()
    }

    pub fn get<'b>(&'b self, title: &'b Title, forms: &'b Forms) -> impl Iterator<Item = SectionId> + 'b {
        let wanted = self.form.known(title, forms);
        let first = self.sorted.partition_point(|(own, _)| own.as_ref() < wanted);
        tail(&self.sorted, first).iter().take_while(move |(own, _)| *own == wanted).map(|(_, at)| *at)
    }
}
