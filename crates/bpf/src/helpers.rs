//! The kernel's helper functions: numbers and names from `enum bpf_func_id` of `linux/bpf.h`, as of Linux 6.2, since
//! when none has been added.

/// Declares the helpers: a row is a variant, its id and its name without the `bpf_` prefix.
macro_rules! helpers {
    ($($variant:ident = $id:literal, $name:literal;)*) => {
        /// A helper function of the kernel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        #[allow(missing_docs, reason = "documented in bpf-helpers(7) under the row's name")]
        pub enum Helper { $($variant = $id,)* }

        impl Helper {
            /// Every helper, by id.
            pub const ALL: &[Helper] = &[$(Helper::$variant),*];

            /// Its name, with the `bpf_` prefix.
            pub const fn name(self) -> &'static str {
                match self { $(Helper::$variant => concat!("bpf_", $name),)* }
            }
        }
    };
}

impl Helper {
    /// The number that a call instruction holds.
    pub const fn id(self) -> u32 {
        self as u32
    }

    /// The helper with this number.
    pub fn from_id(id: u32) -> Option<Helper> {
        let helper = *Helper::ALL.get((id as usize).checked_sub(1)?)?;
        (helper.id() == id).then_some(helper)
    }
}

helpers! {
    MapLookupElem = 1, "map_lookup_elem";
    MapUpdateElem = 2, "map_update_elem";
    MapDeleteElem = 3, "map_delete_elem";
    ProbeRead = 4, "probe_read";
    KtimeGetNs = 5, "ktime_get_ns";
    TracePrintk = 6, "trace_printk";
    GetPrandomU32 = 7, "get_prandom_u32";
    GetSmpProcessorId = 8, "get_smp_processor_id";
    SkbStoreBytes = 9, "skb_store_bytes";
    L3CsumReplace = 10, "l3_csum_replace";
    L4CsumReplace = 11, "l4_csum_replace";
    TailCall = 12, "tail_call";
    CloneRedirect = 13, "clone_redirect";
    GetCurrentPidTgid = 14, "get_current_pid_tgid";
    GetCurrentUidGid = 15, "get_current_uid_gid";
    GetCurrentComm = 16, "get_current_comm";
    GetCgroupClassid = 17, "get_cgroup_classid";
    SkbVlanPush = 18, "skb_vlan_push";
    SkbVlanPop = 19, "skb_vlan_pop";
    SkbGetTunnelKey = 20, "skb_get_tunnel_key";
    SkbSetTunnelKey = 21, "skb_set_tunnel_key";
    PerfEventRead = 22, "perf_event_read";
    Redirect = 23, "redirect";
    GetRouteRealm = 24, "get_route_realm";
    PerfEventOutput = 25, "perf_event_output";
    SkbLoadBytes = 26, "skb_load_bytes";
    GetStackid = 27, "get_stackid";
    CsumDiff = 28, "csum_diff";
    SkbGetTunnelOpt = 29, "skb_get_tunnel_opt";
    SkbSetTunnelOpt = 30, "skb_set_tunnel_opt";
    SkbChangeProto = 31, "skb_change_proto";
    SkbChangeType = 32, "skb_change_type";
    SkbUnderCgroup = 33, "skb_under_cgroup";
    GetHashRecalc = 34, "get_hash_recalc";
    GetCurrentTask = 35, "get_current_task";
    ProbeWriteUser = 36, "probe_write_user";
    CurrentTaskUnderCgroup = 37, "current_task_under_cgroup";
    SkbChangeTail = 38, "skb_change_tail";
    SkbPullData = 39, "skb_pull_data";
    CsumUpdate = 40, "csum_update";
    SetHashInvalid = 41, "set_hash_invalid";
    GetNumaNodeId = 42, "get_numa_node_id";
    SkbChangeHead = 43, "skb_change_head";
    XdpAdjustHead = 44, "xdp_adjust_head";
    ProbeReadStr = 45, "probe_read_str";
    GetSocketCookie = 46, "get_socket_cookie";
    GetSocketUid = 47, "get_socket_uid";
    SetHash = 48, "set_hash";
    Setsockopt = 49, "setsockopt";
    SkbAdjustRoom = 50, "skb_adjust_room";
    RedirectMap = 51, "redirect_map";
    SkRedirectMap = 52, "sk_redirect_map";
    SockMapUpdate = 53, "sock_map_update";
    XdpAdjustMeta = 54, "xdp_adjust_meta";
    PerfEventReadValue = 55, "perf_event_read_value";
    PerfProgReadValue = 56, "perf_prog_read_value";
    Getsockopt = 57, "getsockopt";
    OverrideReturn = 58, "override_return";
    SockOpsCbFlagsSet = 59, "sock_ops_cb_flags_set";
    MsgRedirectMap = 60, "msg_redirect_map";
    MsgApplyBytes = 61, "msg_apply_bytes";
    MsgCorkBytes = 62, "msg_cork_bytes";
    MsgPullData = 63, "msg_pull_data";
    Bind = 64, "bind";
    XdpAdjustTail = 65, "xdp_adjust_tail";
    SkbGetXfrmState = 66, "skb_get_xfrm_state";
    GetStack = 67, "get_stack";
    SkbLoadBytesRelative = 68, "skb_load_bytes_relative";
    FibLookup = 69, "fib_lookup";
    SockHashUpdate = 70, "sock_hash_update";
    MsgRedirectHash = 71, "msg_redirect_hash";
    SkRedirectHash = 72, "sk_redirect_hash";
    LwtPushEncap = 73, "lwt_push_encap";
    LwtSeg6StoreBytes = 74, "lwt_seg6_store_bytes";
    LwtSeg6AdjustSrh = 75, "lwt_seg6_adjust_srh";
    LwtSeg6Action = 76, "lwt_seg6_action";
    RcRepeat = 77, "rc_repeat";
    RcKeydown = 78, "rc_keydown";
    SkbCgroupId = 79, "skb_cgroup_id";
    GetCurrentCgroupId = 80, "get_current_cgroup_id";
    GetLocalStorage = 81, "get_local_storage";
    SkSelectReuseport = 82, "sk_select_reuseport";
    SkbAncestorCgroupId = 83, "skb_ancestor_cgroup_id";
    SkLookupTcp = 84, "sk_lookup_tcp";
    SkLookupUdp = 85, "sk_lookup_udp";
    SkRelease = 86, "sk_release";
    MapPushElem = 87, "map_push_elem";
    MapPopElem = 88, "map_pop_elem";
    MapPeekElem = 89, "map_peek_elem";
    MsgPushData = 90, "msg_push_data";
    MsgPopData = 91, "msg_pop_data";
    RcPointerRel = 92, "rc_pointer_rel";
    SpinLock = 93, "spin_lock";
    SpinUnlock = 94, "spin_unlock";
    SkFullsock = 95, "sk_fullsock";
    TcpSock = 96, "tcp_sock";
    SkbEcnSetCe = 97, "skb_ecn_set_ce";
    GetListenerSock = 98, "get_listener_sock";
    SkcLookupTcp = 99, "skc_lookup_tcp";
    TcpCheckSyncookie = 100, "tcp_check_syncookie";
    SysctlGetName = 101, "sysctl_get_name";
    SysctlGetCurrentValue = 102, "sysctl_get_current_value";
    SysctlGetNewValue = 103, "sysctl_get_new_value";
    SysctlSetNewValue = 104, "sysctl_set_new_value";
    Strtol = 105, "strtol";
    Strtoul = 106, "strtoul";
    SkStorageGet = 107, "sk_storage_get";
    SkStorageDelete = 108, "sk_storage_delete";
    SendSignal = 109, "send_signal";
    TcpGenSyncookie = 110, "tcp_gen_syncookie";
    SkbOutput = 111, "skb_output";
    ProbeReadUser = 112, "probe_read_user";
    ProbeReadKernel = 113, "probe_read_kernel";
    ProbeReadUserStr = 114, "probe_read_user_str";
    ProbeReadKernelStr = 115, "probe_read_kernel_str";
    TcpSendAck = 116, "tcp_send_ack";
    SendSignalThread = 117, "send_signal_thread";
    Jiffies64 = 118, "jiffies64";
    ReadBranchRecords = 119, "read_branch_records";
    GetNsCurrentPidTgid = 120, "get_ns_current_pid_tgid";
    XdpOutput = 121, "xdp_output";
    GetNetnsCookie = 122, "get_netns_cookie";
    GetCurrentAncestorCgroupId = 123, "get_current_ancestor_cgroup_id";
    SkAssign = 124, "sk_assign";
    KtimeGetBootNs = 125, "ktime_get_boot_ns";
    SeqPrintf = 126, "seq_printf";
    SeqWrite = 127, "seq_write";
    SkCgroupId = 128, "sk_cgroup_id";
    SkAncestorCgroupId = 129, "sk_ancestor_cgroup_id";
    RingbufOutput = 130, "ringbuf_output";
    RingbufReserve = 131, "ringbuf_reserve";
    RingbufSubmit = 132, "ringbuf_submit";
    RingbufDiscard = 133, "ringbuf_discard";
    RingbufQuery = 134, "ringbuf_query";
    CsumLevel = 135, "csum_level";
    SkcToTcp6Sock = 136, "skc_to_tcp6_sock";
    SkcToTcpSock = 137, "skc_to_tcp_sock";
    SkcToTcpTimewaitSock = 138, "skc_to_tcp_timewait_sock";
    SkcToTcpRequestSock = 139, "skc_to_tcp_request_sock";
    SkcToUdp6Sock = 140, "skc_to_udp6_sock";
    GetTaskStack = 141, "get_task_stack";
    LoadHdrOpt = 142, "load_hdr_opt";
    StoreHdrOpt = 143, "store_hdr_opt";
    ReserveHdrOpt = 144, "reserve_hdr_opt";
    InodeStorageGet = 145, "inode_storage_get";
    InodeStorageDelete = 146, "inode_storage_delete";
    DPath = 147, "d_path";
    CopyFromUser = 148, "copy_from_user";
    SnprintfBtf = 149, "snprintf_btf";
    SeqPrintfBtf = 150, "seq_printf_btf";
    SkbCgroupClassid = 151, "skb_cgroup_classid";
    RedirectNeigh = 152, "redirect_neigh";
    PerCpuPtr = 153, "per_cpu_ptr";
    ThisCpuPtr = 154, "this_cpu_ptr";
    RedirectPeer = 155, "redirect_peer";
    TaskStorageGet = 156, "task_storage_get";
    TaskStorageDelete = 157, "task_storage_delete";
    GetCurrentTaskBtf = 158, "get_current_task_btf";
    BprmOptsSet = 159, "bprm_opts_set";
    KtimeGetCoarseNs = 160, "ktime_get_coarse_ns";
    ImaInodeHash = 161, "ima_inode_hash";
    SockFromFile = 162, "sock_from_file";
    CheckMtu = 163, "check_mtu";
    ForEachMapElem = 164, "for_each_map_elem";
    Snprintf = 165, "snprintf";
    SysBpf = 166, "sys_bpf";
    BtfFindByNameKind = 167, "btf_find_by_name_kind";
    SysClose = 168, "sys_close";
    TimerInit = 169, "timer_init";
    TimerSetCallback = 170, "timer_set_callback";
    TimerStart = 171, "timer_start";
    TimerCancel = 172, "timer_cancel";
    GetFuncIp = 173, "get_func_ip";
    GetAttachCookie = 174, "get_attach_cookie";
    TaskPtRegs = 175, "task_pt_regs";
    GetBranchSnapshot = 176, "get_branch_snapshot";
    TraceVprintk = 177, "trace_vprintk";
    SkcToUnixSock = 178, "skc_to_unix_sock";
    KallsymsLookupName = 179, "kallsyms_lookup_name";
    FindVma = 180, "find_vma";
    Loop = 181, "loop";
    Strncmp = 182, "strncmp";
    GetFuncArg = 183, "get_func_arg";
    GetFuncRet = 184, "get_func_ret";
    GetFuncArgCnt = 185, "get_func_arg_cnt";
    GetRetval = 186, "get_retval";
    SetRetval = 187, "set_retval";
    XdpGetBuffLen = 188, "xdp_get_buff_len";
    XdpLoadBytes = 189, "xdp_load_bytes";
    XdpStoreBytes = 190, "xdp_store_bytes";
    CopyFromUserTask = 191, "copy_from_user_task";
    SkbSetTstamp = 192, "skb_set_tstamp";
    ImaFileHash = 193, "ima_file_hash";
    KptrXchg = 194, "kptr_xchg";
    MapLookupPercpuElem = 195, "map_lookup_percpu_elem";
    SkcToMptcpSock = 196, "skc_to_mptcp_sock";
    DynptrFromMem = 197, "dynptr_from_mem";
    RingbufReserveDynptr = 198, "ringbuf_reserve_dynptr";
    RingbufSubmitDynptr = 199, "ringbuf_submit_dynptr";
    RingbufDiscardDynptr = 200, "ringbuf_discard_dynptr";
    DynptrRead = 201, "dynptr_read";
    DynptrWrite = 202, "dynptr_write";
    DynptrData = 203, "dynptr_data";
    TcpRawGenSyncookieIpv4 = 204, "tcp_raw_gen_syncookie_ipv4";
    TcpRawGenSyncookieIpv6 = 205, "tcp_raw_gen_syncookie_ipv6";
    TcpRawCheckSyncookieIpv4 = 206, "tcp_raw_check_syncookie_ipv4";
    TcpRawCheckSyncookieIpv6 = 207, "tcp_raw_check_syncookie_ipv6";
    KtimeGetTaiNs = 208, "ktime_get_tai_ns";
    UserRingbufDrain = 209, "user_ringbuf_drain";
    CgrpStorageGet = 210, "cgrp_storage_get";
    CgrpStorageDelete = 211, "cgrp_storage_delete";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_dense_and_known() {
        for (i, helper) in Helper::ALL.iter().enumerate() {
            assert_eq!(helper.id() as usize, i + 1, "{}", helper.name());
            assert_eq!(Helper::from_id(helper.id()), Some(*helper));
        }
        assert_eq!(Helper::ALL.len(), 211);
        assert_eq!(Helper::from_id(0), None);
        assert_eq!(Helper::from_id(212), None);
        let known = [
            (Helper::KtimeGetNs, 5, "bpf_ktime_get_ns"),
            (Helper::ProbeReadKernelStr, 115, "bpf_probe_read_kernel_str"),
            (Helper::RingbufReserve, 131, "bpf_ringbuf_reserve"),
            (Helper::TaskStorageGet, 156, "bpf_task_storage_get"),
            (Helper::GetFuncIp, 173, "bpf_get_func_ip"),
            (Helper::Loop, 181, "bpf_loop"),
            (Helper::KtimeGetTaiNs, 208, "bpf_ktime_get_tai_ns"),
        ];
        for (helper, id, name) in known {
            assert_eq!((helper.id(), helper.name()), (id, name));
        }
    }
}
