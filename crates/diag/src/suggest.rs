//! The name that somebody who misspelt one probably meant.

/// Names longer than this are not compared.
const MAX_LEN: usize = 64;

/// Edit distance (insert, delete, replace, swap of neighbours), `None` beyond `most`.
pub fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most || a.len().max(b.len()) > MAX_LEN {
        return None;
    }
    Some(strsim::osa_distance(a, b)).filter(|d| *d <= most)
}

/// The candidate closest to `name`, if one is close.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .filter(|c| *c != name)
        .filter_map(|c| Some((distance(name, c, most)?, c)))
        .min()
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = || ["execname", "timestamp", "pid", "tid"].into_iter();
        assert_eq!(closest("excename", names()), Some("execname"));
        assert_eq!(closest("timestmp", names()), Some("timestamp"));
        assert_eq!(closest("pidd", names()), Some("pid"));
        assert_eq!(closest("foo", names()), None);
        assert_eq!(closest("x", names()), None);
    }

    #[test]
    fn edit_distance() {
        assert_eq!(distance("openat", "openat", 2), Some(0));
        assert_eq!(distance("opneat", "openat", 2), Some(1));
        assert_eq!(distance("opnat", "openat", 2), Some(1));
        assert_eq!(distance("", "ab", 2), Some(2));
        assert_eq!(distance("abc", "xyz", 2), None);
    }
}
