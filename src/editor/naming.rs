//! What a new KEP is called, and who writes it: what authors say, as its files have it.

use crate::authoring::draft::{self, problem_of_title, title_of};
use crate::diagnostic::{Failure, brief};
use crate::report::is_hidden;
use crate::template::Template;

/// A number as kep.yaml and the directory have it.
pub fn number(text: &str) -> Result<String, Failure> {
    let refused = |help: &str| Err(Failure::new(format!("`{}` is not the number of a KEP", brief(text))).help(help));
    let digits = text.trim_start_matches('#');
    match digits.parse::<u32>() {
        Ok(0) => refused("write the number of its tracking issue"),
        Ok(number) if number.to_string() == digits => Ok(digits.to_owned()),
        Ok(number) => refused(&format!("write `{number}`")),
        Err(_) => refused("open its tracking issue in kubernetes/enhancements first, and write the number of that"),
    }
}

/// The title that these words are, of the KEP with this number.
pub fn title(written: &str, number: &str, template: &Template) -> Result<String, Failure> {
    let title = title_of(written, number);
    let reason =
        problem_of_title(&title, template).or(written.contains(is_hidden).then_some("it has hidden characters"));
    match reason {
        Some(reason) => {
            let failure = Failure::new(format!("cannot use the title `{}`: {reason}", brief(&title)));
            Err(failure.help("write a short title, such as `Prefetch images`"))
        }
        None => Ok(title),
    }
}

pub fn directory(number: &str, title: &str) -> Result<String, Failure> {
    let slug = draft::slug(title).ok_or_else(|| {
        let failure = Failure::new(format!("no directory can be named after the title `{}`", brief(title)));
        failure.help("write a title with letters of ASCII")
    })?;
    Ok(format!("{number}-{slug}"))
}

/// A GitHub handle, without `@`; `None` if the text is none.
pub fn handle(text: &str) -> Option<String> {
    let handle = text.trim().trim_start_matches('@');
    let is_handle = handle.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_handle && !handle.is_empty()).then(|| handle.to_owned())
}
