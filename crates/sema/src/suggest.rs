//! The name that somebody who misspelt it probably meant.

/// Names longer than this are not compared.
const MAX_LEN: usize = 64;

/// Edit distance (insert, delete, replace, swap of neighbours), given up beyond `most`.
fn distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut d = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                d = d.min(before[j - 1] + 1);
            }
            row.push(d);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.pop().filter(|d| *d <= most)
}

/// The candidate closest to `name`, if one is close.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let most = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .filter(|c| *c != name && c.len() <= MAX_LEN)
        .filter_map(|c| Some((distance(name.as_bytes(), c.as_bytes(), most)?, c)))
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
}
