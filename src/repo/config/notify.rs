//! How a person is told that a question waits.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notify {
    /// Nobody is told.
    #[default]
    Off,
    /// By the terminal's bell.
    Bell,
}

impl Notify {
    /// The values, as they are written.
    pub const NAMES: &[&str] = &["off", "bell"];
}

impl std::str::FromStr for Notify {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word {
            "off" => Ok(Self::Off),
            // A notice on the desktop could be chosen once; the bell stood in for it.
            "bell" | "desktop" => Ok(Self::Bell),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_chose_a_notice_on_the_desktop_hears_the_bell() {
        assert_eq!("desktop".parse(), Ok(Notify::Bell));
        assert_eq!("Bell".parse::<Notify>(), Err(()));
    }
}
