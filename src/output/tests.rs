//! Tests of the catalogue and of the defaults.

use super::*;

#[test]
fn g27_the_catalogue_has_eleven_entries() {
    let listed: Vec<Catalogued> = catalogue().iter().map(|entry| entry.output).collect();
    assert_eq!(listed, Catalogued::ALL);
    assert_eq!(built(), [Catalogued::DesignDoc]);
}
