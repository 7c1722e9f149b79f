//! A filter of system calls, for the little that neither mounts nor Landlock see: characters pushed into the terminal,
//! which the shell outside would run once we are gone; and, where Landlock stands alone, changes of modes, owners,
//! times and attributes.

use std::io;

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO,
    sock_filter,
};

use super::kernel;

/// Where the parts of a call lie in what a filter looks at.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
/// The lower half of the second argument; the kernel reads no more of what `ioctl` is asked to do.
const REQUEST: u32 = 24;

#[cfg(target_arch = "x86_64")]
mod native {
    /// `AUDIT_ARCH_X86_64`
    pub(super) const ARCHITECTURE: u32 = 0xC000_003E;
    /// `AUDIT_ARCH_I386`
    pub(super) const NARROW: u32 = 0x4000_0003;
    /// `ioctl` there.
    pub(super) const NARROW_IOCTL: u32 = 54;
    /// Marks calls of the x32 interface, which have numbers of their own.
    pub(super) const OTHER_NUMBERS: u32 = 0x4000_0000;
    /// Calls that only old programs make.
    pub(super) const OLD: &[libc::c_long] =
        &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
}

#[cfg(target_arch = "aarch64")]
mod native {
    /// `AUDIT_ARCH_AARCH64`
    pub(super) const ARCHITECTURE: u32 = 0xC000_00B7;
    /// `AUDIT_ARCH_ARM`
    pub(super) const NARROW: u32 = 0x4000_0028;
    /// `ioctl` there.
    pub(super) const NARROW_IOCTL: u32 = 54;
    /// There is no second set of numbers.
    pub(super) const OTHER_NUMBERS: u32 = 0x4000_0000;
    /// There are no old calls.
    pub(super) const OLD: &[libc::c_long] = &[];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Typing into a terminal.
    Typing,
    /// The same, and whatever changes a file without opening it for writing.
    TypingAndAttributes,
}

/// Installs the filter.
pub(super) fn refuse(refused: Refused) -> io::Result<()> {
    kernel::filter_calls(&program(refused)?)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn program(_refused: Refused) -> io::Result<Vec<sock_filter>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "no filter is known for this processor"))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn program(refused: Refused) -> io::Result<Vec<sock_filter>> {
    let mut program = vec![load(ARCHITECTURE)];
    // Another processor's programs, which this kernel also runs.
    let mut narrow = vec![load(NUMBER)];
    narrow.extend(if_equal(native::NARROW_IOCTL, &typing()));
    narrow.push(match refused {
        Refused::Typing => allow(),
        // Their numbers are another table; who needs them has to do without, where Landlock stands alone.
        Refused::TypingAndAttributes => deny(),
    });
    program.extend(if_equal(native::NARROW, &narrow));
    program.extend(unless_equal(native::ARCHITECTURE, &[deny()]));
    program.push(load(NUMBER));
    // x32 programs are as good as extinct, and their calls another table again.
    program.push(instruction(BPF_JMP | BPF_JSET | BPF_K, 0, 1, native::OTHER_NUMBERS));
    program.push(deny());
    if refused == Refused::TypingAndAttributes {
        for call in ATTRIBUTES.iter().chain(native::OLD) {
            let number = u32::try_from(*call).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
            program.extend(if_equal(number, &[deny()]));
        }
    }
    let ioctl = u32::try_from(libc::SYS_ioctl).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut requests = typing();
    if refused == Refused::TypingAndAttributes {
        // Before the last instruction, which allows.
        let last = requests.len() - 1;
        let flags = CHANGE_FLAGS.iter().flat_map(|request| if_equal(*request, &[deny()])).collect::<Vec<_>>();
        requests.splice(last..last, flags);
    }
    program.extend(if_equal(ioctl, &requests));
    program.push(allow());
    Ok(program)
}

/// Calls that change a file without opening it for writing, and the ring through which they could be made unseen.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // setxattrat, removexattrat, file_setattr: newer than the names.
    463,
    466,
    469,
    libc::SYS_io_uring_setup,
];

/// `FS_IOC_SETFLAGS` (of both widths), `FS_IOC_FSSETXATTR`, `FS_IOC_SETVERSION`
const CHANGE_FLAGS: &[u32] = &[0x4008_6602, 0x4004_6602, 0x401c_5820, 0x4008_7602];

/// With the request of `ioctl`: typing into a terminal is refused, everything else allowed.
fn typing() -> Vec<sock_filter> {
    let mut program = vec![load(REQUEST)];
    for request in [libc::TIOCSTI, libc::TIOCLINUX] {
        // Both numbers are small.
        program.extend(if_equal(u32::try_from(request).unwrap_or(u32::MAX), &[deny()]));
    }
    program.push(allow());
    program
}

/// Runs `body` when what was loaded is `value`.
fn if_equal(value: u32, body: &[sock_filter]) -> Vec<sock_filter> {
    skipping(value, 0, body.len(), body)
}

/// Runs `body` when what was loaded is anything else.
fn unless_equal(value: u32, body: &[sock_filter]) -> Vec<sock_filter> {
    skipping(value, body.len(), 0, body)
}

fn skipping(value: u32, when_equal: usize, when_not: usize, body: &[sock_filter]) -> Vec<sock_filter> {
    let steps = |steps: usize| u8::try_from(steps).expect("the parts of this filter are short");
    let mut program = vec![instruction(BPF_JMP | BPF_JEQ | BPF_K, steps(when_equal), steps(when_not), value)];
    program.extend_from_slice(body);
    program
}

fn load(offset: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset)
}

fn allow() -> sock_filter {
    instruction(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW)
}

/// `EPERM`, as for a user who may not.
fn deny() -> sock_filter {
    instruction(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs())
}

fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).expect("an instruction's code has 16 bits"), jt, jf, k }
}
