//! Numbers of map, program and attach types, from `enum bpf_map_type`, `bpf_prog_type` and `bpf_attach_type` of
//! `linux/bpf.h` as of Linux 6.14.

/// Declares one enum of the kernel: a row is a variant, its number and its name in lower case without the prefix.
macro_rules! kinds {
    ($(#[$meta:meta])* $ty:ident; $($variant:ident = $id:literal, $name:literal;)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        #[allow(missing_docs, reason = "the names are the kernel's")]
        pub enum $ty { $($variant = $id,)* }

        impl $ty {
            /// Every one, by number.
            pub const ALL: &[$ty] = &[$($ty::$variant),*];

            /// Its number.
            pub const fn id(self) -> u32 {
                self as u32
            }

            /// Its name in lower case, without the kernel's prefix.
            pub const fn name(self) -> &'static str {
                match self { $($ty::$variant => $name,)* }
            }

            /// The one with this number.
            pub fn from_id(id: u32) -> Option<$ty> {
                $ty::ALL.iter().copied().find(|k| k.id() == id)
            }
        }
    };
}

kinds! {
    /// A map type (`BPF_MAP_TYPE_…`).
    MapType;
    Hash = 1, "hash";
    Array = 2, "array";
    ProgArray = 3, "prog_array";
    PerfEventArray = 4, "perf_event_array";
    PercpuHash = 5, "percpu_hash";
    PercpuArray = 6, "percpu_array";
    StackTrace = 7, "stack_trace";
    CgroupArray = 8, "cgroup_array";
    LruHash = 9, "lru_hash";
    LruPercpuHash = 10, "lru_percpu_hash";
    LpmTrie = 11, "lpm_trie";
    ArrayOfMaps = 12, "array_of_maps";
    HashOfMaps = 13, "hash_of_maps";
    Devmap = 14, "devmap";
    Sockmap = 15, "sockmap";
    Cpumap = 16, "cpumap";
    Xskmap = 17, "xskmap";
    Sockhash = 18, "sockhash";
    CgroupStorage = 19, "cgroup_storage";
    ReuseportSockarray = 20, "reuseport_sockarray";
    PercpuCgroupStorage = 21, "percpu_cgroup_storage";
    Queue = 22, "queue";
    Stack = 23, "stack";
    SkStorage = 24, "sk_storage";
    DevmapHash = 25, "devmap_hash";
    StructOps = 26, "struct_ops";
    Ringbuf = 27, "ringbuf";
    InodeStorage = 28, "inode_storage";
    TaskStorage = 29, "task_storage";
    BloomFilter = 30, "bloom_filter";
    UserRingbuf = 31, "user_ringbuf";
    CgrpStorage = 32, "cgrp_storage";
    Arena = 33, "arena";
}

kinds! {
    /// A program type (`BPF_PROG_TYPE_…`).
    ProgType;
    SocketFilter = 1, "socket_filter";
    Kprobe = 2, "kprobe";
    SchedCls = 3, "sched_cls";
    SchedAct = 4, "sched_act";
    Tracepoint = 5, "tracepoint";
    Xdp = 6, "xdp";
    PerfEvent = 7, "perf_event";
    CgroupSkb = 8, "cgroup_skb";
    CgroupSock = 9, "cgroup_sock";
    LwtIn = 10, "lwt_in";
    LwtOut = 11, "lwt_out";
    LwtXmit = 12, "lwt_xmit";
    SockOps = 13, "sock_ops";
    SkSkb = 14, "sk_skb";
    CgroupDevice = 15, "cgroup_device";
    SkMsg = 16, "sk_msg";
    RawTracepoint = 17, "raw_tracepoint";
    CgroupSockAddr = 18, "cgroup_sock_addr";
    LwtSeg6local = 19, "lwt_seg6local";
    LircMode2 = 20, "lirc_mode2";
    SkReuseport = 21, "sk_reuseport";
    FlowDissector = 22, "flow_dissector";
    CgroupSysctl = 23, "cgroup_sysctl";
    RawTracepointWritable = 24, "raw_tracepoint_writable";
    CgroupSockopt = 25, "cgroup_sockopt";
    Tracing = 26, "tracing";
    StructOps = 27, "struct_ops";
    Ext = 28, "ext";
    Lsm = 29, "lsm";
    SkLookup = 30, "sk_lookup";
    Syscall = 31, "syscall";
    Netfilter = 32, "netfilter";
}

kinds! {
    /// An attach type (`BPF_…`).
    AttachType;
    CgroupInetIngress = 0, "cgroup_inet_ingress";
    CgroupInetEgress = 1, "cgroup_inet_egress";
    CgroupInetSockCreate = 2, "cgroup_inet_sock_create";
    CgroupSockOps = 3, "cgroup_sock_ops";
    SkSkbStreamParser = 4, "sk_skb_stream_parser";
    SkSkbStreamVerdict = 5, "sk_skb_stream_verdict";
    CgroupDevice = 6, "cgroup_device";
    SkMsgVerdict = 7, "sk_msg_verdict";
    CgroupInet4Bind = 8, "cgroup_inet4_bind";
    CgroupInet6Bind = 9, "cgroup_inet6_bind";
    CgroupInet4Connect = 10, "cgroup_inet4_connect";
    CgroupInet6Connect = 11, "cgroup_inet6_connect";
    CgroupInet4PostBind = 12, "cgroup_inet4_post_bind";
    CgroupInet6PostBind = 13, "cgroup_inet6_post_bind";
    CgroupUdp4Sendmsg = 14, "cgroup_udp4_sendmsg";
    CgroupUdp6Sendmsg = 15, "cgroup_udp6_sendmsg";
    LircMode2 = 16, "lirc_mode2";
    FlowDissector = 17, "flow_dissector";
    CgroupSysctl = 18, "cgroup_sysctl";
    CgroupUdp4Recvmsg = 19, "cgroup_udp4_recvmsg";
    CgroupUdp6Recvmsg = 20, "cgroup_udp6_recvmsg";
    CgroupGetsockopt = 21, "cgroup_getsockopt";
    CgroupSetsockopt = 22, "cgroup_setsockopt";
    TraceRawTp = 23, "trace_raw_tp";
    TraceFentry = 24, "trace_fentry";
    TraceFexit = 25, "trace_fexit";
    ModifyReturn = 26, "modify_return";
    LsmMac = 27, "lsm_mac";
    TraceIter = 28, "trace_iter";
    CgroupInet4Getpeername = 29, "cgroup_inet4_getpeername";
    CgroupInet6Getpeername = 30, "cgroup_inet6_getpeername";
    CgroupInet4Getsockname = 31, "cgroup_inet4_getsockname";
    CgroupInet6Getsockname = 32, "cgroup_inet6_getsockname";
    XdpDevmap = 33, "xdp_devmap";
    CgroupInetSockRelease = 34, "cgroup_inet_sock_release";
    XdpCpumap = 35, "xdp_cpumap";
    SkLookup = 36, "sk_lookup";
    Xdp = 37, "xdp";
    SkSkbVerdict = 38, "sk_skb_verdict";
    SkReuseportSelect = 39, "sk_reuseport_select";
    SkReuseportSelectOrMigrate = 40, "sk_reuseport_select_or_migrate";
    PerfEvent = 41, "perf_event";
    TraceKprobeMulti = 42, "trace_kprobe_multi";
    LsmCgroup = 43, "lsm_cgroup";
    StructOps = 44, "struct_ops";
    Netfilter = 45, "netfilter";
    TcxIngress = 46, "tcx_ingress";
    TcxEgress = 47, "tcx_egress";
    TraceUprobeMulti = 48, "trace_uprobe_multi";
    CgroupUnixConnect = 49, "cgroup_unix_connect";
    CgroupUnixSendmsg = 50, "cgroup_unix_sendmsg";
    CgroupUnixRecvmsg = 51, "cgroup_unix_recvmsg";
    CgroupUnixGetpeername = 52, "cgroup_unix_getpeername";
    CgroupUnixGetsockname = 53, "cgroup_unix_getsockname";
    NetkitPrimary = 54, "netkit_primary";
    NetkitPeer = 55, "netkit_peer";
    TraceKprobeSession = 56, "trace_kprobe_session";
    TraceUprobeSession = 57, "trace_uprobe_session";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        assert_eq!(MapType::Ringbuf.id(), 27);
        assert_eq!(MapType::TaskStorage.id(), 29);
        assert_eq!(MapType::Arena.id(), 33);
        assert_eq!(ProgType::RawTracepoint.id(), 17);
        assert_eq!(ProgType::Tracing.id(), 26);
        assert_eq!(ProgType::Netfilter.id(), 32);
        assert_eq!(AttachType::TraceRawTp.id(), 23);
        assert_eq!(AttachType::PerfEvent.id(), 41);
        assert_eq!(AttachType::TraceUprobeMulti.id(), 48);
        assert_eq!(AttachType::TraceUprobeSession.id(), 57);
        assert_eq!(MapType::from_id(6), Some(MapType::PercpuArray));
        assert_eq!(MapType::from_id(99), None);
        assert_eq!(AttachType::TraceFentry.name(), "trace_fentry");
    }
}
