//! Randomness for ids, from the kernel.

use crate::app::ports::Nonce;

/// The kernel's random numbers.
pub(super) struct KernelNonce;

impl Nonce for KernelNonce {
    fn next(&self) -> u64 {
        let mut bytes = [0_u8; 8];
        let flags = rustix::rand::GetRandomFlags::empty();
        let got = rustix::rand::getrandom(&mut bytes[..], flags);
        // Eight bytes are never interrupted nor cut short once the kernel's pool is up.
        assert_eq!(got, Ok(8), "the kernel gives eight random bytes");
        u64::from_ne_bytes(bytes)
    }
}
