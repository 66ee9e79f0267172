//! The name of a new KEP's directory: its number, and the words of its title.

/// The longest name of a directory made of a title, in bytes, so that paths can be read.
pub const SLUG_BYTES: usize = 60;
/// Latin letters outside of ASCII, and how they are written in it.
const LATIN: [(&str, &str); 26] = [
    ("àáâãäåāăąǎ", "a"),
    ("æ", "ae"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįıǐ", "i"),
    ("ĳ", "ij"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŋ", "n"),
    ("òóôõöøōŏőǒ", "o"),
    ("œ", "oe"),
    ("ŕŗř", "r"),
    ("śŝşšșſ", "s"),
    ("ßẞ", "ss"),
    ("ţťŧț", "t"),
    ("þ", "th"),
    ("ùúûüũūŭůűųǔ", "u"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
    // An apostrophe is inside of a word.
    ("'’", ""),
    // Accents that are characters of their own.
    ("\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30a}\u{30b}\u{30c}\u{327}\u{328}", ""),
];

/// The words of `title` in lower case, joined by `-`: letters and digits of ASCII, since paths and links have only those;
/// Latin letters lose their accents. Words that are too many are left out; `None` if there is none.
pub fn of_title(title: &str) -> Option<String> {
    let mut ascii = String::with_capacity(title.len());
    for letter in title.to_lowercase().chars() {
        match LATIN.iter().find(|(letters, _)| !letter.is_ascii_alphanumeric() && letters.contains(letter)) {
            Some((_, base)) => ascii += base,
            None => ascii.push(letter),
        }
    }
    let words = ascii.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
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
        assert_eq!(slug("Größe α ändern"), "grosse-andern");
        assert_eq!(
            slug("ünïcödé Übergrößenträger, Łódź, Đæmon, İzmir, e\u{301}"),
            "unicode-ubergrossentrager-lodz-daemon-izmir-e"
        );
        assert_eq!(slug("αβγ — ?"), "");
        let long = slug(&"word ".repeat(50));
        assert!(long.len() <= SLUG_BYTES && long.ends_with("-word"), "{long}");
        assert_eq!(slug(&"x".repeat(500)).len(), SLUG_BYTES);
    }
}
