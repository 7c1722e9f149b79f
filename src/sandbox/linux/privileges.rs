//! Privileges are given up for good: no capability is left, and no program that is run can bring one back.

use std::io;

use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capability_is_in_bounding_set, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

/// From now on no program that is run gives more rights than we have.
pub(super) fn never_gain() -> io::Result<()> {
    Ok(set_no_new_privs(true)?)
}

/// Drops every capability. One that we do not have need not be dropped, and without any nothing here is allowed.
pub(super) fn drop_all() -> io::Result<()> {
    let held = rustix::thread::capabilities(None)?;
    if held.permitted.contains(CapabilitySet::SETPCAP) {
        // The kernel may have capabilities that we have no name for; it says where they end.
        for number in 0..u64::BITS {
            let capability = CapabilitySet::from_bits_retain(1 << number);
            match capability_is_in_bounding_set(capability) {
                Ok(true) => remove_capability_from_bounding_set(capability)?,
                Ok(false) => {}
                Err(_) => break,
            }
        }
        set_capabilities_secure_bits(
            CapabilitiesSecureBits::NO_ROOT
                | CapabilitiesSecureBits::NO_ROOT_LOCKED
                | CapabilitiesSecureBits::NO_SETUID_FIXUP
                | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
                | CapabilitiesSecureBits::KEEP_CAPS_LOCKED,
        )?;
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}
