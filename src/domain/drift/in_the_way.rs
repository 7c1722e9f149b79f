//! Places of which one is a folder and the other lies in it: only one of the two can be there. Bringing the one back would
//! take the other away.

use std::collections::BTreeMap;

use super::{Change, Drift, Spot};

/// Places that something may stand in the way of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places<'a>(BTreeMap<(Kind, &'a str), &'a Spot>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Ref,
    Index,
    WorkingTree,
}

/// What a place is, with its name as it is within git's quotes: what lies in it begins with that.
fn key(spot: &Spot) -> Option<(Kind, &str)> {
    let (kind, name) = match spot {
        Spot::Ref(name) => (Kind::Ref, name),
        Spot::Index(name) => (Kind::Index, name),
        Spot::File(name) | Spot::Nested(name) => (Kind::WorkingTree, name),
        Spot::Head | Spot::Stash | Spot::Operation(_) | Spot::Setting(_) => return None,
    };
    let within = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    Some((kind, within.unwrap_or(name)))
}

impl<'a> FromIterator<&'a Spot> for Places<'a> {
    fn from_iter<T: IntoIterator<Item = &'a Spot>>(spots: T) -> Self {
        Self(spots.into_iter().filter_map(|spot| Some((key(spot)?, spot))).collect())
    }
}

impl<'a> Places<'a> {
    /// The places of those that are new.
    pub fn of_new(drift: impl IntoIterator<Item = &'a Drift>) -> Self {
        drift.into_iter().filter(|one| one.change == Change::Added).map(|one| &one.spot).collect()
    }
}

impl Places<'_> {
    /// The one that is in the way of a place, if any: a folder of it, or something in it.
    pub fn in_the_way_of(&self, spot: &Spot) -> Option<&Spot> {
        let (kind, name) = key(spot)?;
        let above = name.match_indices('/').find_map(|(at, _)| self.0.get(&(kind, &name[..at])));
        let folder = format!("{name}/");
        let below = || {
            let (found, other) = self.0.range((kind, folder.as_str())..).next()?;
            (found.0 == kind && found.1.starts_with(&folder)).then_some(other)
        };
        above.or_else(below).copied()
    }

    /// Marks those that are gone and cannot be brought back, since one of these places is in their way.
    pub fn keep_out<'b>(&self, drift: impl IntoIterator<Item = &'b mut Drift>) {
        for one in drift.into_iter().filter(|one| one.change == Change::Deleted && one.stays.is_none()) {
            one.stays = self.in_the_way_of(&one.spot).map(|way| format!("{} is in its way", way.place()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Window;
    use super::*;

    #[test]
    fn a25_a_folder_of_a_place_and_what_lies_in_it_are_in_its_way() {
        let file = |name: &str| Spot::File(name.to_owned());
        let there = [
            file("src"),
            file("notes.txt/mine.md"),
            file("notes.txt-2"),
            file("\"a\\303\\244/b\""),
            Spot::Ref("refs/heads/topic/x".to_owned()),
            Spot::Index("lib/x".to_owned()),
        ];
        let places: Places<'_> = there.iter().collect();
        let way = |spot: Spot| places.in_the_way_of(&spot).map(Spot::name);
        assert_eq!(way(file("src/limit.rs")), Some("src"));
        assert_eq!(way(file("src/a/b")), Some("src"));
        assert_eq!(way(file("notes.txt")), Some("notes.txt/mine.md"));
        assert_eq!(way(file("\"a\\303\\244\"")), Some("\"a\\303\\244/b\""));
        assert_eq!(way(Spot::Ref("refs/heads/topic".to_owned())), Some("refs/heads/topic/x"));
        for free in [file("notes"), file("srcs/x"), file("src"), file("lib"), file("refs/heads/topic"), Spot::Head] {
            assert_eq!(way(free.clone()), None, "{free:?}");
        }
        assert_eq!(way(Spot::Index("lib".to_owned())), Some("lib/x"));
    }

    #[test]
    fn a25_what_is_gone_cannot_be_restored_where_a_new_place_is_in_its_way() {
        let drift = |name: &str, change| Drift {
            spot: Spot::File(name.to_owned()),
            change,
            detail: None,
            bytes: None,
            when: Window::default(),
            stays: None,
        };
        let kept = [drift("src", Change::Added), drift("lib", Change::Deleted)];
        let mut open = [drift("src/a", Change::Deleted), drift("lib/a", Change::Deleted), drift("b", Change::Deleted)];
        Places::of_new(&kept).keep_out(&mut open);
        assert_eq!(open.map(|one| one.stays), [Some("src is in its way".to_owned()), None, None]);
    }
}
