//! A kernel that builds no walls, for the tests: one by one the system calls that walls are built with are refused, to this
//! process and to all that it starts.

#![expect(unsafe_code, reason = "seccomp has no safe wrapper; each call says why it is sound")]

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, sock_filter,
    sock_fprog,
};

const REFUSED: &[(libc::c_long, i32)] = &[
    (libc::SYS_unshare, libc::EPERM),
    (libc::SYS_mount, libc::EPERM),
    (libc::SYS_landlock_create_ruleset, libc::ENOSYS),
];

pub fn go_without_walls() {
    let one = |code: u32, jt: u8, jf: u8, k: u32| sock_filter {
        code: u16::try_from(code).expect("it is a small number"),
        jt,
        jf,
        k,
    };
    let mut filter = vec![one(BPF_LD | BPF_W | BPF_ABS, 0, 0, 0)];
    for (call, error) in REFUSED {
        filter.push(one(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, u32::try_from(*call).expect("calls have small numbers")));
        filter.push(one(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error.cast_unsigned()));
    }
    filter.push(one(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW));
    let program = sock_fprog { len: u16::try_from(filter.len()).expect("it is short"), filter: filter.as_mut_ptr() };
    // SAFETY: the first takes numbers alone; the second reads the filter, which outlives the call, and copies it.
    let (alone, filtered) = unsafe {
        (
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program),
        )
    };
    assert!(alone == 0 && filtered == 0, "no filter: {}", std::io::Error::last_os_error());
}
