/*
 * tcp.d: TCP. States have the numbers that Linux gives them; those of Solaris (TCPS_*) are others.
 */

#pragma D depends_on library net.d

inline int TCP_STATE_ESTABLISHED = 1;
#pragma D binding "1.6" TCP_STATE_ESTABLISHED
inline int TCP_STATE_SYN_SENT = 2;
#pragma D binding "1.6" TCP_STATE_SYN_SENT
inline int TCP_STATE_SYN_RECEIVED = 3;
#pragma D binding "1.6" TCP_STATE_SYN_RECEIVED
inline int TCP_STATE_FIN_WAIT_1 = 4;
#pragma D binding "1.6" TCP_STATE_FIN_WAIT_1
inline int TCP_STATE_FIN_WAIT_2 = 5;
#pragma D binding "1.6" TCP_STATE_FIN_WAIT_2
inline int TCP_STATE_TIME_WAIT = 6;
#pragma D binding "1.6" TCP_STATE_TIME_WAIT
inline int TCP_STATE_CLOSED = 7;
#pragma D binding "1.6" TCP_STATE_CLOSED
inline int TCP_STATE_CLOSE_WAIT = 8;
#pragma D binding "1.6" TCP_STATE_CLOSE_WAIT
inline int TCP_STATE_LAST_ACK = 9;
#pragma D binding "1.6" TCP_STATE_LAST_ACK
inline int TCP_STATE_LISTEN = 10;
#pragma D binding "1.6" TCP_STATE_LISTEN
inline int TCP_STATE_CLOSING = 11;
#pragma D binding "1.6" TCP_STATE_CLOSING
inline int TCP_STATE_NEW_SYN_RECEIVED = 12;
#pragma D binding "1.6" TCP_STATE_NEW_SYN_RECEIVED
inline int TCP_STATE_IDLE = 7;
#pragma D binding "1.6" TCP_STATE_IDLE
inline int TCP_STATE_BOUND = 7;
#pragma D binding "1.6" TCP_STATE_BOUND
inline uint8_t TH_FIN = 1;
#pragma D binding "1.6" TH_FIN
inline uint8_t TH_SYN = 2;
#pragma D binding "1.6" TH_SYN
inline uint8_t TH_RST = 4;
#pragma D binding "1.6" TH_RST
inline uint8_t TH_PUSH = 8;
#pragma D binding "1.6" TH_PUSH
inline uint8_t TH_ACK = 16;
#pragma D binding "1.6" TH_ACK
inline uint8_t TH_URG = 32;
#pragma D binding "1.6" TH_URG
inline uint8_t TH_ECE = 64;
#pragma D binding "1.6" TH_ECE
inline uint8_t TH_CWR = 128;
#pragma D binding "1.6" TH_CWR
inline int TCP_NODELAY = 1;
#pragma D binding "1.6" TCP_NODELAY
inline int TCP_MAXSEG = 2;
#pragma D binding "1.6" TCP_MAXSEG
inline int TCP_CORK = 3;
#pragma D binding "1.6" TCP_CORK
inline int TCP_KEEPIDLE = 4;
#pragma D binding "1.6" TCP_KEEPIDLE
inline int TCP_KEEPINTVL = 5;
#pragma D binding "1.6" TCP_KEEPINTVL
inline int TCP_KEEPCNT = 6;
#pragma D binding "1.6" TCP_KEEPCNT

inline string tcp_state_string[int32_t state] =
    state == 1 ? "state-established" :
    state == 2 ? "state-syn-sent" :
    state == 3 ? "state-syn-received" :
    state == 4 ? "state-fin-wait-1" :
    state == 5 ? "state-fin-wait-2" :
    state == 6 ? "state-time-wait" :
    state == 7 ? "state-closed" :
    state == 8 ? "state-close-wait" :
    state == 9 ? "state-last-ack" :
    state == 10 ? "state-listen" :
    state == 11 ? "state-closing" :
    state == 12 ? "state-syn-received" :
    "<unknown>";
#pragma D attributes Evolving/Evolving/Common tcp_state_string
#pragma D binding "1.6" tcp_state_string

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;	/* bytes of header */
	uint8_t tcp_flags;	/* TH_* */
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	struct tcphdr *tcp_hdr;
} tcpinfo_t;

typedef struct tcpsinfo {
	uintptr_t tcps_addr;	/* address of the socket */
	int tcps_local;		/* both ends have the same address */
	int tcps_active;	/* it connected, rather than accepted */
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;	/* TCP_STATE_* */
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;	/* first byte sent that is not acknowledged */
	uint32_t tcps_snxt;	/* next to send */
	uint32_t tcps_smax;
	uint32_t tcps_rack;	/* last acknowledgement sent */
	uint32_t tcps_rnxt;	/* next to receive */
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_swl1;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;	/* bytes */
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;	/* ms */
	uint32_t tcps_mss;
	int tcps_retransmit;	/* it is sending again */
	uint32_t tcps_rtt;	/* us */
	uint32_t tcps_rtt_sd;	/* us */
} tcpsinfo_t;

typedef struct tcplsinfo {
	int32_t tcps_state;	/* the state before */
} tcplsinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.6" translator
translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->source);
	tcp_dport = T == NULL ? 0 : ntohs(T->dest);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);
	tcp_offset = T == NULL ? 0 : T->doff * 4;
	tcp_flags = T == NULL ? 0 : *((uint8_t *)T + 13);
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = T;
};

inline struct tcp_sock *TCP_SOCK[struct sock *S] = (struct tcp_sock *)S;
/* A socket that closes has given its number back by then; what its segments say remains. */
inline int TCP_LOCAL_PORT[struct sock *S] = S->__sk_common.skc_num != 0 ? S->__sk_common.skc_num :
    ntohs(((struct inet_sock *)S)->inet_sport);

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.6" translator
translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S == NULL ? 0 : S->__sk_common.skc_family == 10 ? 0 :
	    S->__sk_common.skc_daddr == S->__sk_common.skc_rcv_saddr;
	tcps_lport = S == NULL ? 0 : TCP_LOCAL_PORT[S];
	tcps_rport = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);
	tcps_laddr = S == NULL ? "<null>" : SOCK_LADDR[S];
	tcps_raddr = S == NULL ? "<null>" : SOCK_RADDR[S];
	tcps_state = S == NULL ? 7 : S->__sk_common.skc_state;
	tcps_suna = S == NULL ? 0 : TCP_SOCK[S]->snd_una;
	tcps_snxt = S == NULL ? 0 : TCP_SOCK[S]->snd_nxt;
	tcps_rack = S == NULL ? 0 : TCP_SOCK[S]->rcv_wup;
	tcps_rnxt = S == NULL ? 0 : TCP_SOCK[S]->rcv_nxt;
	tcps_swnd = S == NULL ? 0 : TCP_SOCK[S]->snd_wnd;
	tcps_swl1 = S == NULL ? 0 : TCP_SOCK[S]->snd_wl1;
	tcps_snd_ws = S == NULL ? 0 : TCP_SOCK[S]->rx_opt.snd_wscale;
	tcps_rwnd = S == NULL ? 0 : TCP_SOCK[S]->rcv_wnd;
	tcps_rcv_ws = S == NULL ? 0 : TCP_SOCK[S]->rx_opt.rcv_wscale;
	tcps_cwnd = S == NULL ? 0 : TCP_SOCK[S]->snd_cwnd * TCP_SOCK[S]->mss_cache;
	tcps_cwnd_ssthresh = S == NULL ? 0 : TCP_SOCK[S]->snd_ssthresh * TCP_SOCK[S]->mss_cache;
	tcps_mss = S == NULL ? 0 : TCP_SOCK[S]->mss_cache;
	tcps_retransmit = S == NULL ? 0 : TCP_SOCK[S]->retrans_out != 0;
	tcps_rtt = S == NULL ? 0 : TCP_SOCK[S]->srtt_us >> 3;
	tcps_rtt_sd = S == NULL ? 0 : TCP_SOCK[S]->mdev_us >> 2;
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.6" translator
translator tcplsinfo_t < int S > {
	tcps_state = S;
};
