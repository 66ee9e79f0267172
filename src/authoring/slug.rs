//! The name of a new KEP's directory: its number, and the words of its title.

/// The longest name of a directory made of a title, in bytes, so that paths can be read.
pub const SLUG_BYTES: usize = 60;

/// The words of `title` in lower case, joined by `-`: letters and digits of ASCII, since paths and links have only those.
/// Words that are too many are left out; `None` if there is none.
pub fn of_title(title: &str) -> Option<String> {
    // An apostrophe is inside of a word.
    let title = title.to_lowercase().replace(['\'', '’'], "");
    let words = title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        if !slug.is_empty() && slug.len() + 1 + word.len() > SLUG_BYTES {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().take(SLUG_BYTES));
    }
    (!slug.is_empty()).then_some(slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined() {
        let slug = |title: &str| of_title(title).unwrap_or_default();
        assert_eq!(slug("In-Place Update of Pod Resources"), "in-place-update-of-pod-resources");
        assert_eq!(slug("  `kubectl exec`: don't   hang (v2) "), "kubectl-exec-dont-hang-v2");
        assert_eq!(slug("Größe α"), "gr-e");
        assert_eq!(slug("αβγ — ?"), "");
        let long = slug(&"word ".repeat(50));
        assert!(long.len() <= SLUG_BYTES && long.ends_with("-word"), "{long}");
        assert_eq!(slug(&"x".repeat(500)).len(), SLUG_BYTES);
    }
}
