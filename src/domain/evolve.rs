//! Evolving: what each event does to a session. Never fails; an event that does not fit changes nothing but the clock.

use super::event::{Event, Recorded};
use super::session::{Phase, Session};

impl Session {
    /// The session after one more event.
    #[must_use]
    pub fn evolve(mut self, recorded: &Recorded) -> Self {
        self.seq = self.seq.max(recorded.seq);
        self.updated_at = self.updated_at.max(recorded.at);
        match &recorded.event {
            // Another server's question is no part of the interview's state.
            Event::Started(_) | Event::ServerAsked { .. } => {}
            Event::SettingChanged { setting } => self.settings = self.settings.with(setting),
            Event::Verified { verification } => self.verified = Some((**verification).clone()),
            Event::AuthorityLapsed { lapse } => self.take_lapse(lapse),
            Event::Of(event) => event.evolve(&mut self, recorded),
            Event::Closed { ending, .. } => {
                self.remember_production();
                self.park_at_the_end();
                self.phase = Phase::Closed { ending: *ending };
            }
        }
        self
    }
}
