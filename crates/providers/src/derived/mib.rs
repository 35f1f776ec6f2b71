//! `mib`: counters of the network, as far as the kernel shows when they go up. `arg0` is the increment. The names are those of
//! Solaris; `/proc/net/snmp` has the same counters.

use super::net::{ANY_IP, COMES, LEAVES, TCP_COMES, TCP_LEAVES, UDP_COMES, UDP_LEAVES};
use super::{COUNTER, COUNTS, Row, Table, Texts, at, row, way};
use crate::stability::EVOLVING_ISA;

pub(super) const TABLE: Table = Table {
    provider: "mib",
    stability: &EVOLVING_ISA,
    rows: ROWS,
};

/// A TCP socket (`IPPROTO_TCP` 6) changes its state.
const fn changes(name: &'static str, ways: &'static [super::Way]) -> Row {
    row(name, COUNTER, ways)
}

/// States: 1 established, 2 SYN sent, 3 SYN received, 7 closed, 8 close wait, 10 listen.
const ACTIVE: Texts = &["args[0]->sk_protocol == 6 && args[1] == 7 && args[2] == 2"];
const PASSIVE: Texts = &["args[0]->sk_protocol == 6 && args[1] == 10 && args[2] == 3"];
const FAILS: Texts =
    &["args[0]->sk_protocol == 6 && (args[1] == 2 || args[1] == 3) && args[2] == 7"];
const RESETS: Texts =
    &["args[0]->sk_protocol == 6 && (args[1] == 1 || args[1] == 8) && args[2] == 7"];

/// Protocols of packets: 1 and 58 are ICMP.
const ICMP_COMES: Texts = &[
    "SKB_IS_IP[args[0]] && (IP_PROTO[SKB_IP_IN[args[0]]] == 1 || IP_PROTO[SKB_IP_IN[args[0]]] == 58)",
];
const ICMP_LEAVES: Texts =
    &["SKB_IS_IP[args[0]] && (IP_PROTO[SKB_IP[args[0]]] == 1 || IP_PROTO[SKB_IP[args[0]]] == 58)"];

const ROWS: &[Row] = &[
    changes(
        "tcpActiveOpens",
        &[way(&[at("inet_sock_set_state").when(ACTIVE).args(COUNTS)])],
    ),
    changes(
        "tcpPassiveOpens",
        &[way(&[at("inet_sock_set_state").when(PASSIVE).args(COUNTS)])],
    ),
    changes(
        "tcpAttemptFails",
        &[way(&[at("inet_sock_set_state").when(FAILS).args(COUNTS)])],
    ),
    changes(
        "tcpEstabResets",
        &[way(&[at("inet_sock_set_state").when(RESETS).args(COUNTS)])],
    ),
    row(
        "tcpRetransSegs",
        COUNTER,
        &[way(&[at("tcp_retransmit_skb").args(COUNTS)])],
    ),
    row(
        "tcpOutRsts",
        COUNTER,
        &[way(&[at("tcp_send_reset").args(COUNTS)])],
    ),
    row(
        "udpInOverflows",
        COUNTER,
        &[way(&[at("udp_fail_queue_rcv_skb").args(COUNTS)])],
    ),
    row(
        "ipInReceives",
        COUNTER,
        &[way(&[COMES.when(ANY_IP).args(COUNTS)])],
    ),
    row(
        "ipOutRequests",
        COUNTER,
        &[way(&[LEAVES.when(ANY_IP).args(COUNTS)])],
    ),
    row(
        "tcpInSegs",
        COUNTER,
        &[way(&[COMES.when(TCP_COMES).args(COUNTS)])],
    ),
    row(
        "tcpOutSegs",
        COUNTER,
        &[way(&[LEAVES.when(TCP_LEAVES).args(COUNTS)])],
    ),
    row(
        "udpInDatagrams",
        COUNTER,
        &[way(&[COMES.when(UDP_COMES).args(COUNTS)])],
    ),
    row(
        "udpOutDatagrams",
        COUNTER,
        &[way(&[LEAVES.when(UDP_LEAVES).args(COUNTS)])],
    ),
    row(
        "icmpInMsgs",
        COUNTER,
        &[way(&[COMES.when(ICMP_COMES).args(COUNTS)])],
    ),
    row(
        "icmpOutMsgs",
        COUNTER,
        &[way(&[LEAVES.when(ICMP_LEAVES).args(COUNTS)])],
    ),
    row(
        "tcpInErrs",
        COUNTER,
        &[way(&[at("tcp_bad_csum").args(COUNTS)])],
    ),
];
