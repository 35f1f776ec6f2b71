//! `tcp`, `udp`, `ip`: packets and connections.
//!
//! * Packets are seen where they are queued for a device and where a device delivers them. So one that passes several
//!   devices (a bridge, a tunnel, a pair of virtual ones) is seen at each; one that is segmented by the device or put
//!   together on arrival is one packet; fragments of TCP and UDP after the first are not seen.
//! * A packet that comes has not found its socket yet: what its `tcpsinfo_t` or `udpsinfo_t` tells beyond addresses and ports
//!   is not known, its state is -1.
//! * Of connections, `connect-request` and `accept-refused` are packets; the others are changes of a socket's state, and
//!   their `ipinfo_t` and `tcpinfo_t` are those of the packet that changes it, as far as the socket tells.

use super::{ArgRow, Place, Row, Table, Texts, Value, at, plain, row, to, v, way};
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
const LEAVES: Place = at("net_dev_queue");
const COMES: Place = at("netif_receive_skb");

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

const TCP_COME: &[Value] = &[
    FIRST,
    SENT_SOCKET,
    COME_IP,
    SENT_SOCKET.with(&[
        UNKNOWN_STATE,
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
            .when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 6 && IP_FIRST[SKB_IP[args[0]]]"])
            .args(TCP_SENT)])],
    ),
    row(
        "receive",
        TCP_ARGS,
        &[way(&[COMES
            .when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP_IN[args[0]]] == 6 && IP_FIRST[SKB_IP_IN[args[0]]]"])
            .args(TCP_COME)])],
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

const UDP_ROWS: &[Row] = &[
    row(
        "send",
        UDP_ARGS,
        &[way(&[LEAVES
            .when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP[args[0]]] == 17 && IP_FIRST[SKB_IP[args[0]]]"])
            .args(&[
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
        &[way(&[COMES
            .when(&["SKB_IS_IP[args[0]] && IP_PROTO[SKB_IP_IN[args[0]]] == 17 && IP_FIRST[SKB_IP_IN[args[0]]]"])
            .args(&[
                FIRST,
                SENT_SOCKET,
                COME_IP,
                SENT_SOCKET.with(&[
                    ("udps_lport", &["ntohs(SKB_UDP_IN[args[0]]->dest)"]),
                    ("udps_rport", &["ntohs(SKB_UDP_IN[args[0]]->source)"]),
                    ("udps_laddr", &["IP_DADDR[SKB_IP_IN[args[0]]]"]),
                    ("udps_raddr", &["IP_SADDR[SKB_IP_IN[args[0]]]"]),
                ]),
                v(&["SKB_UDP_IN[args[0]]"]),
            ])])],
    ),
];

const DEVICE: Value = v(&["args[0]->dev"]);

const IP_ROWS: &[Row] = &[
    row(
        "send",
        IP_ARGS,
        &[way(&[LEAVES.when(&["SKB_IS_IP[args[0]]"]).args(&[
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
        &[way(&[COMES.when(&["SKB_IS_IP[args[0]]"]).args(&[
            FIRST,
            SENT_SOCKET,
            COME_IP,
            DEVICE,
            v(&["SKB_IS_IPV4[args[0]] ? SKB_IP_IN[args[0]] : NULL"]),
            v(&["SKB_IS_IPV6[args[0]] ? (struct ipv6hdr *)SKB_IP_IN[args[0]] : NULL"]),
        ])])],
    ),
];
