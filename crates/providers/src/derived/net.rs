//! `tcp`, `udp`, `ip`: packets and connections.
//!
//! * Packets are seen where they are queued for a device and where a device delivers them. So one that passes several
//!   devices (a bridge, a tunnel, a pair of virtual ones) is seen at each; one that is segmented by the device or put
//!   together on arrival is one packet; fragments of TCP and UDP after the first are not seen.
//! * A packet that comes has not found its socket yet. So the sockets of connections are remembered when they send and when
//!   they are established, those of UDP when they send and (Linux 6.3) when something was read from them; a socket that is
//!   remembered must still have the packet's addresses and ports. Where none is known, addresses and ports are those of the
//!   packet, the state is -1 and the rest 0.
//! * Of connections, `connect-request` and `accept-refused` are packets; the others are changes of a socket's state, and
//!   their `ipinfo_t` and `tcpinfo_t` are those of the packet that changes it, as far as the socket tells.

use super::{
    ArgRow, Place, Row, Setup, Table, Texts, Value, after, at, before, plain, remembering, row, to,
    v, way,
};
use crate::stability::EVOLVING_ISA;

pub(super) const TCP: Table = Table {
    provider: "tcp",
    stability: &EVOLVING_ISA,
    rows: TCP_ROWS,
};

pub(super) const UDP: Table = Table {
    provider: "udp",
    stability: &EVOLVING_ISA,
    rows: UDP_ROWS,
};

pub(super) const IP: Table = Table {
    provider: "ip",
    stability: &EVOLVING_ISA,
    rows: IP_ROWS,
};

const PKTINFO: ArgRow = to("struct sk_buff *", "pktinfo_t *");
const CSINFO: ArgRow = to("struct sock *", "csinfo_t *");
const IPINFO: ArgRow = to("struct iphdr *", "ipinfo_t *");
const IFINFO: ArgRow = to("struct net_device *", "ifinfo_t *");
const IPV4INFO: ArgRow = to("struct iphdr *", "ipv4info_t *");
const IPV6INFO: ArgRow = to("struct ipv6hdr *", "ipv6info_t *");
const TCPSINFO: ArgRow = to("struct sock *", "tcpsinfo_t *");
const TCPINFO: ArgRow = to("struct tcphdr *", "tcpinfo_t *");
const TCPLSINFO: ArgRow = to("int", "tcplsinfo_t *");
const UDPSINFO: ArgRow = to("struct sock *", "udpsinfo_t *");
const UDPINFO: ArgRow = to("struct udphdr *", "udpinfo_t *");
const UNUSED: ArgRow = plain("void *");

const TCP_ARGS: &[ArgRow] = &[PKTINFO, CSINFO, IPINFO, TCPSINFO, TCPINFO];
const UDP_ARGS: &[ArgRow] = &[PKTINFO, CSINFO, IPINFO, UDPSINFO, UDPINFO];
const IP_ARGS: &[ArgRow] = &[PKTINFO, CSINFO, IPINFO, IFINFO, IPV4INFO, IPV6INFO];

const NOTHING: Value = v(&["NULL"]);
const FIRST: Value = v(&["args[0]"]);
/// The socket of `inet_sock_set_state`, `tcp_receive_reset`.
const SOCKET: Value = v(&["(struct sock *)args[0]"]);

/// Where packets leave, and where they come.
pub(super) const LEAVES: Place = at("net_dev_queue");
pub(super) const COMES: Place = at("netif_receive_skb");
/// What they are.
pub(super) const ANY_IP: Texts = &["SKB_IS_IP[args[0]]"];
pub(super) const TCP_LEAVES: Texts =
    &["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 6 && IP_FIRST[SKB_IP[args[0]]]"];
pub(super) const TCP_COMES: Texts =
    &["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP_IN[args[0]]] == 6 && IP_FIRST[SKB_IP_IN[args[0]]]"];
pub(super) const UDP_LEAVES: Texts =
    &["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 17 && IP_FIRST[SKB_IP[args[0]]]"];
pub(super) const UDP_COMES: Texts =
    &["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP_IN[args[0]]] == 17 && IP_FIRST[SKB_IP_IN[args[0]]]"];

const SENT_SOCKET: Value = v(&["SKB_SOCK[args[0]]"]);
const SENT_IP: Value = v(&["SKB_IP[args[0]]"]);
const COME_IP: Value = v(&["SKB_IP_IN[args[0]]"]);

const UNKNOWN_STATE: (&str, Texts) = (
    "tcps_state",
    &["SKB_SOCK[args[0]] == NULL ? -1 : SKB_SOCK[args[0]]->__sk_common.skc_state"],
);

const TCP_SENT: &[Value] = &[
    FIRST,
    SENT_SOCKET,
    SENT_IP,
    SENT_SOCKET.with(&[
        UNKNOWN_STATE,
        ("tcps_lport", &["ntohs(SKB_TCP[args[0]]->source)"]),
        ("tcps_rport", &["ntohs(SKB_TCP[args[0]]->dest)"]),
        ("tcps_laddr", &["IP_SADDR[SKB_IP[args[0]]]"]),
        ("tcps_raddr", &["IP_DADDR[SKB_IP[args[0]]]"]),
    ]),
    v(&["SKB_TCP[args[0]]"]),
];

/// The socket of a packet that comes, if it is known.
const ITS_SOCKET: Value = v(&["(struct sock *)self->__dt_sock"]);
const ITS_STATE: (&str, Texts) = (
    "tcps_state",
    &["self->__dt_sock == 0 ? -1 : ((struct sock *)self->__dt_sock)->__sk_common.skc_state"],
);

/// The sockets of connections, by addresses and ports.
const TCP_SENDS: Setup = before(
    "tcp.sends",
    &["uintptr_t __dt_tcp[uint32_t, uint32_t, uint16_t, uint16_t];"],
    LEAVES.when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 6 && IP_FIRST[SKB_IP[args[0]]] && SKB_SOCK[args[0]] != NULL && SOCK_RPORT[args[0]->sk] == SKB_TCP[args[0]]->dest && args[0]->sk->__sk_common.skc_state != 7"]),
    &["__dt_tcp[IP_SWORD[SKB_IP[args[0]]], IP_DWORD[SKB_IP[args[0]]], SKB_TCP[args[0]]->source, SKB_TCP[args[0]]->dest] = (uintptr_t)args[0]->sk"],
);
const TCP_BEGINS: Setup = before(
    "tcp.begins",
    &[],
    at("inet_sock_set_state").when(&["args[2] == 1 && args[0]->sk_protocol == 6"]),
    &[
        "__dt_tcp[SOCK_LWORD[args[0]], SOCK_RWORD[args[0]], SOCK_LPORT[args[0]], SOCK_RPORT[args[0]]] = (uintptr_t)args[0]",
    ],
);
const TCP_ENDS: Setup = after(
    "tcp.ends",
    at("inet_sock_set_state").when(&["args[2] == 7 && args[0]->sk_protocol == 6"]),
    &[
        "__dt_tcp[SOCK_LWORD[args[0]], SOCK_RWORD[args[0]], SOCK_LPORT[args[0]], SOCK_RPORT[args[0]]] = 0",
    ],
);
const TCP_FINDS: Setup = before(
    "tcp.finds",
    &["self uintptr_t __dt_sock;"],
    COMES.when(TCP_COMES),
    &[
        "self->__dt_sock = __dt_tcp[IP_DWORD[SKB_IP_IN[args[0]]], IP_SWORD[SKB_IP_IN[args[0]]], SKB_TCP_IN[args[0]]->dest, SKB_TCP_IN[args[0]]->source]; \
       self->__dt_sock = self->__dt_sock == 0 ? 0 : TCP_IS_OF[(struct sock *)self->__dt_sock, SKB_IP_IN[args[0]], SKB_TCP_IN[args[0]]] ? self->__dt_sock : 0",
    ],
);
const TCP_SOCKETS: &[Setup] = &[TCP_SENDS, TCP_BEGINS, TCP_ENDS, TCP_FINDS];

/// The sockets of UDP, by port.
const UDP_SENDS: Setup = before(
    "udp.sends",
    &["uintptr_t __dt_udp[uint16_t];"],
    LEAVES.when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 17 && IP_FIRST[SKB_IP[args[0]]] && SKB_SOCK[args[0]] != NULL"]),
    &["__dt_udp[SKB_UDP[args[0]]->source] = (uintptr_t)args[0]->sk"],
);
const UDP_READS: Setup = before(
    "udp.reads",
    &[],
    at("sock_recv_length").when(&["args[0]->sk_protocol == 17 && (args[0]->__sk_common.skc_family == 2 || args[0]->__sk_common.skc_family == 10)"]),
    &["__dt_udp[SOCK_LPORT[args[0]]] = (uintptr_t)args[0]"],
);
const UDP_FINDS: Setup = before(
    "udp.finds",
    &["self uintptr_t __dt_sock;"],
    COMES.when(UDP_COMES),
    &["self->__dt_sock = __dt_udp[SKB_UDP_IN[args[0]]->dest]; \
       self->__dt_sock = self->__dt_sock == 0 ? 0 : UDP_IS_OF[(struct sock *)self->__dt_sock, SKB_IP_IN[args[0]], SKB_UDP_IN[args[0]]] ? self->__dt_sock : 0"],
);

const TCP_COME: &[Value] = &[
    FIRST,
    ITS_SOCKET,
    COME_IP,
    ITS_SOCKET.with(&[
        ITS_STATE,
        ("tcps_lport", &["ntohs(SKB_TCP_IN[args[0]]->dest)"]),
        ("tcps_rport", &["ntohs(SKB_TCP_IN[args[0]]->source)"]),
        ("tcps_laddr", &["IP_DADDR[SKB_IP_IN[args[0]]]"]),
        ("tcps_raddr", &["IP_SADDR[SKB_IP_IN[args[0]]]"]),
    ]),
    v(&["SKB_TCP_IN[args[0]]"]),
];

/// What a socket tells of the packet that it has just got: addresses and ports of the other end are the sender's.
const GOT_IP: Value = NOTHING.with(&[
    ("ip_ver", &["SOCK_IS_IPV6[args[0]] ? 6 : 4"]),
    ("ip_saddr", &["SOCK_RADDR[args[0]]"]),
    ("ip_daddr", &["SOCK_LADDR[args[0]]"]),
]);

/// The header of such a packet with these flags.
macro_rules! got_tcp {
    ($flags:literal) => {
        NOTHING.with(&[
            ("tcp_sport", &["ntohs(args[0]->__sk_common.skc_dport)"]),
            ("tcp_dport", &["args[0]->__sk_common.skc_num"]),
            ("tcp_flags", &[$flags]),
        ])
    };
}

/// The socket that becomes what it is now only after the tracepoint.
const NEW_STATE: Value = SOCKET.with(&[("tcps_state", &["args[2]"])]);

const TCP_ROWS: &[Row] = &[
    row(
        "send",
        TCP_ARGS,
        &[way(&[LEAVES
            .when(TCP_LEAVES)
            .args(TCP_SENT)])],
    ),
    row(
        "receive",
        TCP_ARGS,
        &[remembering(
            &[COMES
                .when(TCP_COMES)
                .args(TCP_COME)],
            TCP_SOCKETS,
        )],
    ),
    // The first SYN: repeated ones are no new requests.
    row(
        "connect-request",
        TCP_ARGS,
        &[way(&[LEAVES
            .when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 6 && SKB_TCP[args[0]]->syn && !SKB_TCP[args[0]]->ack && args[0]->sk != NULL && args[0]->sk->__sk_common.skc_state == 2 && ((struct inet_connection_sock *)args[0]->sk)->icsk_retransmits == 0"])
            .args(TCP_SENT)])],
    ),
    row(
        "connect-established",
        TCP_ARGS,
        &[way(&[at("inet_sock_set_state")
            .when(&["args[1] == 2 && args[2] == 1 && args[0]->sk_protocol == 6"])
            .args(&[NOTHING, SOCKET, GOT_IP, NEW_STATE, got_tcp!("0x12")])])],
    ),
    row(
        "connect-refused",
        TCP_ARGS,
        &[way(&[at("tcp_receive_reset")
            .when(&["args[0]->__sk_common.skc_state == 2"])
            .args(&[NOTHING, SOCKET, GOT_IP, SOCKET, got_tcp!("0x14")])])],
    ),
    row(
        "accept-established",
        TCP_ARGS,
        &[way(&[at("inet_sock_set_state")
            .when(&["args[1] == 3 && args[2] == 1 && args[0]->sk_protocol == 6"])
            .args(&[NOTHING, SOCKET, GOT_IP, NEW_STATE, got_tcp!("0x10")])])],
    ),
    // The reset that answers a SYN; the tracepoint shows the SYN.
    row(
        "accept-refused",
        TCP_ARGS,
        &[way(&[at("tcp_send_reset")
            .when(&["args[1] != NULL && SKB_TCP[args[1]]->syn && !SKB_TCP[args[1]]->ack"])
            .args(&[
                NOTHING,
                NOTHING,
                NOTHING.with(&[
                    ("ip_ver", &["SKB_IP[args[1]]->version"]),
                    ("ip_saddr", &["IP_DADDR[SKB_IP[args[1]]]"]),
                    ("ip_daddr", &["IP_SADDR[SKB_IP[args[1]]]"]),
                ]),
                NOTHING.with(&[
                    ("tcps_lport", &["ntohs(SKB_TCP[args[1]]->dest)"]),
                    ("tcps_rport", &["ntohs(SKB_TCP[args[1]]->source)"]),
                    ("tcps_laddr", &["IP_DADDR[SKB_IP[args[1]]]"]),
                    ("tcps_raddr", &["IP_SADDR[SKB_IP[args[1]]]"]),
                ]),
                NOTHING.with(&[
                    ("tcp_sport", &["ntohs(SKB_TCP[args[1]]->dest)"]),
                    ("tcp_dport", &["ntohs(SKB_TCP[args[1]]->source)"]),
                    ("tcp_ack", &["ntohl(SKB_TCP[args[1]]->seq) + 1"]),
                    ("tcp_flags", &["0x14"]),
                ]),
            ])])],
    ),
    row(
        "state-change",
        &[UNUSED, CSINFO, UNUSED, TCPSINFO, UNUSED, TCPLSINFO],
        &[way(&[at("inet_sock_set_state")
            .when(&["args[0]->sk_protocol == 6"])
            .args(&[NOTHING, SOCKET, NOTHING, NEW_STATE, NOTHING, v(&["args[1]"])])])],
    ),
];

const UDP_RECEIVE: Place = COMES.when(UDP_COMES).args(&[
    FIRST,
    ITS_SOCKET,
    COME_IP,
    ITS_SOCKET.with(&[
        ("udps_lport", &["ntohs(SKB_UDP_IN[args[0]]->dest)"]),
        ("udps_rport", &["ntohs(SKB_UDP_IN[args[0]]->source)"]),
        ("udps_laddr", &["IP_DADDR[SKB_IP_IN[args[0]]]"]),
        ("udps_raddr", &["IP_SADDR[SKB_IP_IN[args[0]]]"]),
    ]),
    v(&["SKB_UDP_IN[args[0]]"]),
]);

const UDP_ROWS: &[Row] = &[
    row(
        "send",
        UDP_ARGS,
        &[way(&[LEAVES.when(UDP_LEAVES).args(&[
            FIRST,
            SENT_SOCKET,
            SENT_IP,
            SENT_SOCKET.with(&[
                ("udps_lport", &["ntohs(SKB_UDP[args[0]]->source)"]),
                ("udps_rport", &["ntohs(SKB_UDP[args[0]]->dest)"]),
                ("udps_laddr", &["IP_SADDR[SKB_IP[args[0]]]"]),
                ("udps_raddr", &["IP_DADDR[SKB_IP[args[0]]]"]),
            ]),
            v(&["SKB_UDP[args[0]]"]),
        ])])],
    ),
    row(
        "receive",
        UDP_ARGS,
        &[
            remembering(&[UDP_RECEIVE], &[UDP_SENDS, UDP_READS, UDP_FINDS]),
            remembering(&[UDP_RECEIVE], &[UDP_SENDS, UDP_FINDS]),
        ],
    ),
];

const DEVICE: Value = v(&["args[0]->dev"]);

/// Packets that are thrown away; their headers are those of IP wherever they had come to.
const DROPS: Place = at("kfree_skb").args(&[
    FIRST,
    SENT_SOCKET,
    SENT_IP,
    DEVICE,
    v(&["SKB_IS_IPV4[args[0]] ? SKB_IP[args[0]] : NULL"]),
    v(&["SKB_IS_IPV6[args[0]] ? SKB_IPV6[args[0]] : NULL"]),
]);

const IP_ROWS: &[Row] = &[
    row(
        "send",
        IP_ARGS,
        &[way(&[LEAVES.when(ANY_IP).args(&[
            FIRST,
            SENT_SOCKET,
            SENT_IP,
            DEVICE,
            v(&["SKB_IS_IPV4[args[0]] ? SKB_IP[args[0]] : NULL"]),
            v(&["SKB_IS_IPV6[args[0]] ? SKB_IPV6[args[0]] : NULL"]),
        ])])],
    ),
    row(
        "receive",
        IP_ARGS,
        &[way(&[COMES.when(ANY_IP).args(&[
            FIRST,
            SENT_SOCKET,
            COME_IP,
            DEVICE,
            v(&["SKB_IS_IPV4[args[0]] ? SKB_IP_IN[args[0]] : NULL"]),
            v(&["SKB_IS_IPV6[args[0]] ? (struct ipv6hdr *)SKB_IP_IN[args[0]] : NULL"]),
        ])])],
    ),
    // Those that came from a device have its number.
    row(
        "drop-in",
        IP_ARGS,
        &[way(&[
            DROPS.when(&["SKB_IS_IP[args[0]] && args[0]->skb_iif != 0"])
        ])],
    ),
    row(
        "drop-out",
        IP_ARGS,
        &[way(&[
            DROPS.when(&["SKB_IS_IP[args[0]] && args[0]->skb_iif == 0"])
        ])],
    ),
];
