//! The SIG that a word of the command line names, with or without `sig-`.

use crate::diagnostic::{Failure, brief};
use crate::kep::directory::{group_names, short_group_name};
use crate::repository::Repository;
use crate::suggest;

pub fn named(word: &str, repository: &Repository) -> Result<String, Failure> {
    let word = word.to_lowercase();
    let names: Vec<String> = std::iter::once(word.clone()).chain(group_names(&word)).collect();
    if let Some(name) = names.iter().find(|name| repository.groups.contains(*name)) {
        return Ok(name.clone());
    }
    if let Some(retired) = names.iter().find(|name| repository.is_retired_group(name)) {
        let failure = Failure::new(format!("`{retired}` is no longer a group"));
        return Err(failure.help("name the group that owns the work now"));
    }
    let all: Vec<(&str, &String)> = repository.groups.iter().map(|name| (short_group_name(name), name)).collect();
    let nearest = suggest::nearest(short_group_name(&word), all.iter().map(|(short, _)| *short));
    let nearest = nearest.and_then(|nearest| all.iter().find(|(short, _)| *short == nearest));
    let failure = Failure::new(format!("unknown SIG or working group `{}`", brief(&word)));
    Err(failure.help(match nearest {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None => "name a group of Kubernetes, such as `sig-node`; `groups` in the configuration adds others".to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_found_by_its_short_name() {
        let repository = Repository::default();
        let full_name = |word: &str| named(word, &repository).map_err(|failure| failure.help.unwrap_or_default());
        assert_eq!(full_name("node").as_deref(), Ok("sig-node"));
        assert_eq!(full_name("SIG-Node").as_deref(), Ok("sig-node"));
        assert_eq!(full_name("nod"), Err("did you mean `sig-node`?".to_owned()));
        assert_eq!(full_name("sig-scheduler"), Err("did you mean `sig-scheduling`?".to_owned()));
        assert!(named("wg-lts", &repository).is_err_and(|failure| failure.message.ends_with("no longer a group")));
        assert!(full_name("").is_err() && full_name("zzzzzz").is_err());
    }
}
