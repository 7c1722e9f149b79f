//! The bound of a packet.

/// The most characters of a packet, by which an agent goes on with an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketLimit(usize);

impl PacketLimit {
    /// The fewest characters: the head of a packet, the news of what was cut and a few lines fit.
    pub const LEAST: usize = 2_000;
    /// The most characters.
    pub const MOST: usize = 200_000;

    /// The bound of so many characters, where they are neither too few nor too many.
    pub fn new(characters: u64) -> Option<Self> {
        let characters = usize::try_from(characters).ok()?;
        (Self::LEAST..=Self::MOST).contains(&characters).then_some(Self(characters))
    }

    pub fn characters(self) -> usize {
        self.0
    }
}

impl Default for PacketLimit {
    /// About three thousand tokens: the answers of a long interview.
    fn default() -> Self {
        Self(12_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g57_a_bound_lies_between_two_others() {
        for (characters, taken) in
            [(0, false), (1_999, false), (2_000, true), (200_000, true), (200_001, false), (u64::MAX, false)]
        {
            assert_eq!(PacketLimit::new(characters).is_some(), taken, "{characters}");
        }
        let default = u64::try_from(PacketLimit::default().characters()).unwrap();
        assert!(PacketLimit::new(default).is_some());
    }
}
