//! Other names of system calls. They count only where the name that was asked for does not exist itself.
//!
//! Sources: the kernel's internal names, as tracefs shows them; C library functions; the names of Solaris.

/// An alias and the ABI names it stands for, as far as the architecture has them.
const ALIASES: &[(&str, &[&str])] = &[
    // Kernel-internal names.
    ("newstat", &["stat"]),
    ("newfstat", &["fstat"]),
    ("newlstat", &["lstat"]),
    ("newuname", &["uname"]),
    ("sendfile64", &["sendfile"]),
    ("umount", &["umount2"]),
    ("fadvise64_64", &["fadvise64"]),
    ("sysctl", &["_sysctl"]),
    // C library functions.
    ("fstatat", &["newfstatat"]),
    ("fstatat64", &["newfstatat"]),
    ("pselect", &["pselect6"]),
    ("prlimit", &["prlimit64"]),
    ("sigprocmask", &["rt_sigprocmask"]),
    ("sigsuspend", &["rt_sigsuspend"]),
    ("sigpending", &["rt_sigpending"]),
    ("wait", &["wait4"]),
    ("waitpid", &["wait4"]),
    ("posix_fadvise", &["fadvise64"]),
    // What arm64 has only in the newer form.
    ("access", &["faccessat", "faccessat2"]),
    ("chmod", &["fchmodat", "fchmodat2"]),
    ("chown", &["fchownat"]),
    ("creat", &["openat"]),
    ("dup2", &["dup3"]),
    ("epoll_create", &["epoll_create1"]),
    ("epoll_wait", &["epoll_pwait", "epoll_pwait2"]),
    ("fork", &["clone", "clone3"]),
    ("getdents", &["getdents64"]),
    ("inotify_init", &["inotify_init1"]),
    ("lchown", &["fchownat"]),
    ("link", &["linkat"]),
    ("mkdir", &["mkdirat"]),
    ("mknod", &["mknodat"]),
    ("open", &["openat", "openat2"]),
    ("pipe", &["pipe2"]),
    ("poll", &["ppoll"]),
    ("readlink", &["readlinkat"]),
    ("rename", &["renameat", "renameat2"]),
    ("rmdir", &["unlinkat"]),
    ("select", &["pselect6"]),
    ("stat", &["newfstatat", "statx"]),
    ("lstat", &["newfstatat", "statx"]),
    ("symlink", &["symlinkat"]),
    ("unlink", &["unlinkat"]),
    ("utime", &["utimensat"]),
    ("vfork", &["clone", "clone3"]),
    // Solaris.
    ("exec", &["execve", "execveat"]),
    ("exece", &["execve", "execveat"]),
    ("forksys", &["clone", "clone3", "fork", "vfork"]),
    ("fork1", &["clone", "clone3", "fork", "vfork"]),
    ("forkall", &["clone", "clone3", "fork", "vfork"]),
    ("rexit", &["exit", "exit_group"]),
    ("open64", &["open", "openat", "openat2"]),
    ("openat64", &["openat"]),
    ("creat64", &["creat"]),
    ("stat64", &["newfstatat", "stat", "statx"]),
    ("xstat", &["newfstatat", "stat", "statx"]),
    ("fstat64", &["fstat", "newfstatat"]),
    ("fxstat", &["fstat", "newfstatat"]),
    ("lstat64", &["lstat", "newfstatat"]),
    ("lxstat", &["lstat", "newfstatat"]),
    ("statvfs", &["statfs"]),
    ("statvfs64", &["statfs"]),
    ("fstatvfs", &["fstatfs"]),
    ("fstatvfs64", &["fstatfs"]),
    ("sysfs", &["statfs"]),
    ("mmap64", &["mmap"]),
    ("pollsys", &["ppoll", "pselect6", "poll", "select"]),
    ("pread", &["pread64"]),
    ("pwrite", &["pwrite64"]),
    ("gtime", &["time"]),
    ("stime", &["clock_settime"]),
    ("utimes", &["utimensat"]),
    ("utimesys", &["utime", "utimensat"]),
    ("sigaction", &["rt_sigaction"]),
    ("lwp_sigmask", &["rt_sigprocmask"]),
    ("lwp_create", &["clone", "clone3"]),
    ("lwp_exit", &["exit"]),
    ("lwp_kill", &["tgkill"]),
    ("lwp_park", &["futex"]),
    ("lwp_self", &["gettid"]),
    ("lwp_mutex_timedlock", &["futex"]),
    ("yield", &["sched_yield"]),
    ("waitsys", &["wait4", "waitid"]),
    ("so_socket", &["socket"]),
    ("send", &["sendto"]),
    ("recv", &["recvfrom"]),
    ("memcntl", &["mprotect", "madvise", "msync", "mlock"]),
    ("mctl", &["mprotect", "madvise", "msync", "mlock"]),
    ("fcntl64", &["fcntl"]),
    ("getrlimit64", &["getrlimit", "prlimit64"]),
    ("setrlimit64", &["setrlimit", "prlimit64"]),
];

/// What an alias stands for; empty if it is none.
pub(super) fn targets(name: &str) -> &'static [&'static str] {
    ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(&[], |(_, names)| names)
}

#[cfg(test)]
mod tests {
    use super::super::table::TABLE;
    use super::*;

    #[test]
    fn aliases_are_unique_and_stand_for_something() {
        for (n, (alias, names)) in ALIASES.iter().enumerate() {
            assert!(
                !ALIASES.iter().skip(n + 1).any(|(other, _)| other == alias),
                "{alias} twice"
            );
            for name in *names {
                assert!(
                    TABLE.iter().any(|row| row.name == *name),
                    "{alias} -> {name}"
                );
            }
        }
    }

    #[test]
    fn aliases_are_not_names_on_both_architectures() {
        for (alias, _) in ALIASES {
            let shadowed = TABLE
                .iter()
                .find(|row| row.name == *alias && row.x86_64 >= 0 && row.arm64 >= 0);
            assert!(shadowed.is_none(), "{alias} never takes effect");
        }
    }
}
