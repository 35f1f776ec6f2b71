//! Layouts of `union bpf_attr`, one structure a command, pinned by compile-time assertions.
//! Source: `include/uapi/linux/bpf.h`.

use std::mem::{offset_of, size_of};

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct MapCreate {
    pub kind: u32,
    pub key_size: u32,
    pub value_size: u32,
    pub max_entries: u32,
    pub flags: u32,
    pub inner_map_fd: u32,
    pub numa_node: u32,
    pub name: [u8; 16],
    pub ifindex: u32,
    pub btf_fd: u32,
    pub btf_key_type_id: u32,
    pub btf_value_type_id: u32,
    pub btf_vmlinux_value_type_id: u32,
    pub extra: u64,
}
const _: () = assert!(size_of::<MapCreate>() == 72);
const _: () = assert!(
    offset_of!(MapCreate, name) == 28 && offset_of!(MapCreate, btf_vmlinux_value_type_id) == 60
);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct MapElem {
    pub map_fd: u32,
    pub pad: u32,
    pub key: u64,
    pub value: u64,
    pub flags: u64,
}
const _: () = assert!(size_of::<MapElem>() == 32 && offset_of!(MapElem, key) == 8);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct MapBatch {
    pub in_batch: u64,
    pub out_batch: u64,
    pub keys: u64,
    pub values: u64,
    pub count: u32,
    pub map_fd: u32,
    pub elem_flags: u64,
    pub flags: u64,
}
const _: () = assert!(size_of::<MapBatch>() == 56 && offset_of!(MapBatch, count) == 32);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct ProgLoad {
    pub kind: u32,
    pub insn_cnt: u32,
    pub insns: u64,
    pub license: u64,
    pub log_level: u32,
    pub log_size: u32,
    pub log_buf: u64,
    pub kern_version: u32,
    pub flags: u32,
    pub name: [u8; 16],
    pub ifindex: u32,
    pub expected_attach_type: u32,
    pub btf_fd: u32,
    pub func_info_rec_size: u32,
    pub func_info: u64,
    pub func_info_cnt: u32,
    pub line_info_rec_size: u32,
    pub line_info: u64,
    pub line_info_cnt: u32,
    pub attach_btf_id: u32,
    pub attach_btf_obj_fd: u32,
    pub core_relo_cnt: u32,
}
const _: () = assert!(size_of::<ProgLoad>() == 120);
const _: () =
    assert!(offset_of!(ProgLoad, name) == 48 && offset_of!(ProgLoad, attach_btf_id) == 108);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct BtfLoad {
    pub btf: u64,
    pub log_buf: u64,
    pub size: u32,
    pub log_size: u32,
    pub log_level: u32,
    pub pad: u32,
}
const _: () = assert!(size_of::<BtfLoad>() == 32 && offset_of!(BtfLoad, log_level) == 24);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct RawTracepointOpen {
    pub name: u64,
    pub prog_fd: u32,
    pub pad: u32,
}
const _: () = assert!(size_of::<RawTracepointOpen>() == 16);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct LinkCreate {
    pub prog_fd: u32,
    pub target_fd: u32,
    pub attach_type: u32,
    pub flags: u32,
    pub cookie: u64,
}
const _: () = assert!(size_of::<LinkCreate>() == 24 && offset_of!(LinkCreate, cookie) == 16);

/// `link_create` with its `kprobe_multi` part.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct KprobeMulti {
    pub prog_fd: u32,
    pub target_fd: u32,
    pub attach_type: u32,
    pub flags: u32,
    pub multi_flags: u32,
    pub count: u32,
    pub symbols: u64,
    pub addresses: u64,
    pub cookies: u64,
}
const _: () = assert!(size_of::<KprobeMulti>() == 48 && offset_of!(KprobeMulti, symbols) == 24);

/// `link_create` with its `uprobe_multi` member (Linux 6.6).
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct LinkUprobes {
    pub prog_fd: u32,
    pub target_fd: u32,
    pub attach_type: u32,
    pub link_flags: u32,
    pub path: u64,
    pub offsets: u64,
    pub ref_ctr_offsets: u64,
    pub cookies: u64,
    pub cnt: u32,
    pub flags: u32,
    pub pid: u32,
    pub pad: u32,
}
const _: () = assert!(size_of::<LinkUprobes>() == 64 && offset_of!(LinkUprobes, cnt) == 48);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct TestRun {
    pub prog_fd: u32,
    pub retval: u32,
    pub data_size_in: u32,
    pub data_size_out: u32,
    pub data_in: u64,
    pub data_out: u64,
    pub repeat: u32,
    pub duration: u32,
    pub ctx_size_in: u32,
    pub ctx_size_out: u32,
    pub ctx_in: u64,
    pub ctx_out: u64,
    pub flags: u32,
    pub cpu: u32,
}
const _: () = assert!(size_of::<TestRun>() == 72 && offset_of!(TestRun, cpu) == 68);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct GetId {
    pub id: u32,
    pub next_id: u32,
    pub open_flags: u32,
    pub pad: u32,
}
const _: () = assert!(size_of::<GetId>() == 16);

#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct ObjInfo {
    pub fd: u32,
    pub len: u32,
    pub info: u64,
}
const _: () = assert!(size_of::<ObjInfo>() == 16);

/// `struct bpf_prog_info`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct RawProgInfo {
    pub kind: u32,
    pub id: u32,
    pub tag: [u8; 8],
    pub jited_len: u32,
    pub xlated_len: u32,
    pub jited: u64,
    pub xlated: u64,
    pub load_time: u64,
    pub uid: u32,
    pub nr_map_ids: u32,
    pub map_ids: u64,
    pub name: [u8; 16],
    pub middle: [u64; 14],
    pub run_time_ns_before: u64,
    pub run_cnt: u64,
    pub recursion_misses: u64,
    pub verified_insns: u32,
    pub tail: [u32; 3],
}
const _: () = assert!(size_of::<RawProgInfo>() == 232);
const _: () =
    assert!(offset_of!(RawProgInfo, name) == 64 && offset_of!(RawProgInfo, run_cnt) == 200);
const _: () = assert!(offset_of!(RawProgInfo, verified_insns) == 216);

/// `struct bpf_link_info`: what all kinds of links have, then words that mean something else in each.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct RawLinkInfo {
    pub kind: u32,
    pub id: u32,
    pub program: u32,
    pub pad: u32,
    pub words: [u64; 6],
}
const _: () = assert!(offset_of!(RawLinkInfo, words) == 16);

/// `struct bpf_btf_info`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct RawBtfInfo {
    pub btf: u64,
    pub btf_size: u32,
    pub id: u32,
    pub name: u64,
    pub name_len: u32,
    pub kernel_btf: u32,
}
const _: () = assert!(size_of::<RawBtfInfo>() == 32 && offset_of!(RawBtfInfo, kernel_btf) == 28);
