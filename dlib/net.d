/*
 * net.d: packets, connections, interfaces, and the headers of IP and UDP.
 */

/* Names that Solaris scripts use. */
typedef uint32_t ipaddr_t;
typedef struct in6_addr in6_addr_t;

inline int AF_INET = 2;
#pragma D binding "1.5" AF_INET
inline int AF_INET6 = 10;
#pragma D binding "1.5" AF_INET6
inline int IPPROTO_ICMP = 1;
#pragma D binding "1.5" IPPROTO_ICMP
inline int IPPROTO_TCP = 6;
#pragma D binding "1.5" IPPROTO_TCP
inline int IPPROTO_UDP = 17;
#pragma D binding "1.5" IPPROTO_UDP
inline int IPPROTO_IPV6 = 41;
#pragma D binding "1.5" IPPROTO_IPV6
inline int IPPROTO_ICMPV6 = 58;
#pragma D binding "1.5" IPPROTO_ICMPV6
inline int IPPROTO_SCTP = 132;
#pragma D binding "1.5" IPPROTO_SCTP

inline string IP_PROTOCOL_NAME[int P] = P == 1 ? "ICMP" : P == 2 ? "IGMP" : P == 6 ? "TCP" : P == 17 ? "UDP" :
    P == 41 ? "IPV6" : P == 47 ? "GRE" : P == 50 ? "ESP" : P == 51 ? "AH" : P == 58 ? "ICMPV6" : P == 132 ? "SCTP" :
    lltostr(P);

typedef struct pktinfo {
	uintptr_t pkt_addr;	/* address of the sk_buff, or 0 */
} pktinfo_t;

typedef struct csinfo {
	uintptr_t cs_addr;	/* address of the socket */
	uint64_t cs_cid;	/* cookie of the socket; 0 until somebody asked for one */
	pid_t cs_pid;		/* always 0: Linux does not note who opened a socket */
	int cs_zoneid;		/* always 0 */
} csinfo_t;

typedef struct ipinfo {
	uint8_t ip_ver;		/* 4 or 6 */
	uint32_t ip_plength;	/* bytes after the header */
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local;	/* the interface is the loopback */
	uint64_t if_ipstack;	/* network name space */
	uintptr_t if_addr;	/* address of the net_device */
} ifinfo_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;	/* bytes of header */
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;	/* bytes */
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	uint32_t ipv4_src;	/* in network order */
	uint32_t ipv4_dst;	/* in network order */
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	struct in6_addr *ipv6_src;
	struct in6_addr *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;	/* with the header */
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

typedef struct udpsinfo {
	uintptr_t udps_addr;	/* address of the socket */
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = S == NULL ? 0 : S->__sk_common.skc_cookie.counter;
	cs_pid = 0;
	cs_zoneid = 0;
};

/* Addresses of a socket, which is of IPv4 or IPv6. */
inline string SOCK_LADDR[struct sock *S] = S->__sk_common.skc_family == 10 ?
    inet_ntop(10, &S->__sk_common.skc_v6_rcv_saddr) : inet_ntop(2, &S->__sk_common.skc_rcv_saddr);
inline string SOCK_RADDR[struct sock *S] = S->__sk_common.skc_family == 10 ?
    inet_ntop(10, &S->__sk_common.skc_v6_daddr) : inet_ntop(2, &S->__sk_common.skc_daddr);

inline int SOCK_IS_IPV6[struct sock *S] = S->__sk_common.skc_family == 10;

/* The header of a packet as it leaves, when the kernel knows where that is, and as it comes, when it begins with it. */
inline struct iphdr *SKB_IP[struct sk_buff *P] = (struct iphdr *)(P->head + P->network_header);
inline struct ipv6hdr *SKB_IPV6[struct sk_buff *P] = (struct ipv6hdr *)(P->head + P->network_header);
inline struct iphdr *SKB_IP_IN[struct sk_buff *P] = (struct iphdr *)P->data;

/* ETH_P_IP and ETH_P_IPV6, in network order. */
inline int SKB_IS_IPV4[struct sk_buff *P] = P->protocol == htons(0x0800);
inline int SKB_IS_IPV6[struct sk_buff *P] = P->protocol == htons(0x86dd);
inline int SKB_IS_IP[struct sk_buff *P] = P->protocol == htons(0x0800) || P->protocol == htons(0x86dd);

/* What follows the header of a packet of IPv4 or IPv6: its protocol, where it is, whether it is there (fragments after the
   first have none). Extension headers of IPv6 are not followed. */
inline int IP_PROTO[struct iphdr *I] = I->version == 4 ? I->protocol : ((struct ipv6hdr *)I)->nexthdr;
inline uintptr_t IP_PAYLOAD[struct iphdr *I] = (uintptr_t)I + (I->version == 4 ? I->ihl * 4 : 40);
inline int IP_FIRST[struct iphdr *I] = I->version != 4 || (I->frag_off & htons(0x1fff)) == 0;
inline string IP_SADDR[struct iphdr *I] = I->version == 4 ? inet_ntop(2, &I->saddr) :
    inet_ntop(10, &((struct ipv6hdr *)I)->saddr);
inline string IP_DADDR[struct iphdr *I] = I->version == 4 ? inet_ntop(2, &I->daddr) :
    inet_ntop(10, &((struct ipv6hdr *)I)->daddr);

inline struct tcphdr *SKB_TCP[struct sk_buff *P] = (struct tcphdr *)IP_PAYLOAD[SKB_IP[P]];
inline struct tcphdr *SKB_TCP_IN[struct sk_buff *P] = (struct tcphdr *)IP_PAYLOAD[SKB_IP_IN[P]];
inline struct udphdr *SKB_UDP[struct sk_buff *P] = (struct udphdr *)IP_PAYLOAD[SKB_IP[P]];
inline struct udphdr *SKB_UDP_IN[struct sk_buff *P] = (struct udphdr *)IP_PAYLOAD[SKB_IP_IN[P]];

/* A socket, where a packet has a whole one: those of half-open and of finished connections are only the beginning of one. */
inline struct sock *SKB_SOCK[struct sk_buff *P] = P->sk == NULL || P->sk->__sk_common.skc_state == 12 ||
    P->sk->__sk_common.skc_state == 6 ? NULL : P->sk;

/* What tells connections apart besides ports: a word of each address. One of IPv4 is the same word in IPv6. */
inline uint32_t IP_SWORD[struct iphdr *I] = I->version == 4 ? I->saddr :
    ((struct ipv6hdr *)I)->saddr.in6_u.u6_addr32[3];
inline uint32_t IP_DWORD[struct iphdr *I] = I->version == 4 ? I->daddr :
    ((struct ipv6hdr *)I)->daddr.in6_u.u6_addr32[3];
inline uint32_t SOCK_LWORD[struct sock *S] = S->__sk_common.skc_family == 10 ?
    S->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[3] : S->__sk_common.skc_rcv_saddr;
inline uint32_t SOCK_RWORD[struct sock *S] = S->__sk_common.skc_family == 10 ?
    S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[3] : S->__sk_common.skc_daddr;
inline uint16_t SOCK_LPORT[struct sock *S] = ((struct inet_sock *)S)->inet_sport;
inline uint16_t SOCK_RPORT[struct sock *S] = S->__sk_common.skc_dport;

/* Whether a socket that was remembered is (still) that of a packet that comes. Of sockets that share a port nobody can
   tell which gets a datagram. */
inline int TCP_IS_OF[struct sock *S, struct iphdr *I, struct tcphdr *T] = SOCK_LPORT[S] == T->dest &&
    SOCK_RPORT[S] == T->source && SOCK_LWORD[S] == IP_DWORD[I] && SOCK_RWORD[S] == IP_SWORD[I] &&
    S->__sk_common.skc_state != 7 && S->__sk_common.skc_state != 6 && S->__sk_common.skc_state != 12;
inline int UDP_IS_OF[struct sock *S, struct iphdr *I, struct udphdr *U] = SOCK_LPORT[S] == U->dest &&
    htons(S->__sk_common.skc_num) == U->dest && S->__sk_common.skc_reuse == 0 && S->__sk_common.skc_reuseport == 0 &&
    (SOCK_LWORD[S] == 0 || SOCK_LWORD[S] == IP_DWORD[I]) &&
    (SOCK_RPORT[S] == 0 || SOCK_RPORT[S] == U->source && SOCK_RWORD[S] == IP_SWORD[I]);

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator ipinfo_t < struct iphdr *I > {
	ip_ver = I == NULL ? 0 : I->version;
	ip_plength = I == NULL ? 0 : I->version == 4 ? ntohs(I->tot_len) - I->ihl * 4 :
	    ntohs(((struct ipv6hdr *)I)->payload_len);
	ip_saddr = I == NULL ? "<null>" : IP_SADDR[I];
	ip_daddr = I == NULL ? "<null>" : IP_DADDR[I];
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator ipinfo_t < struct sk_buff *P > {
	ip_ver = SKB_IP[P]->version;
	ip_plength = SKB_IP[P]->version == 4 ? ntohs(SKB_IP[P]->tot_len) - SKB_IP[P]->ihl * 4 : ntohs(SKB_IPV6[P]->payload_len);
	ip_saddr = SKB_IP[P]->version == 4 ? inet_ntop(2, &SKB_IP[P]->saddr) : inet_ntop(10, &SKB_IPV6[P]->saddr);
	ip_daddr = SKB_IP[P]->version == 4 ? inet_ntop(2, &SKB_IP[P]->daddr) : inet_ntop(10, &SKB_IPV6[P]->daddr);
};

/* A packet that has no header yet: what its socket knows. */
#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator ipinfo_t < struct sock *S > {
	ip_ver = S->__sk_common.skc_family == 10 ? 6 : 4;
	ip_plength = 0;
	ip_saddr = SOCK_LADDR[S];
	ip_daddr = SOCK_RADDR[S];
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator ifinfo_t < struct net_device *N > {
	if_name = N == NULL ? "<null>" : N->name;
	if_local = N == NULL ? 0 : (N->flags & 8) != 0;
	if_ipstack = N == NULL ? 0 : N->nd_net.net->ns.inum;
	if_addr = (uintptr_t)N;
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : I->version;
	ipv4_ihl = I == NULL ? 0 : I->ihl * 4;
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 12;
	ipv4_offset = I == NULL ? 0 : (ntohs(I->frag_off) & 0x1fff) * 8;
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<null>" : IP_PROTOCOL_NAME[I->protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : I->saddr;
	ipv4_dst = I == NULL ? 0 : I->daddr;
	ipv4_saddr = I == NULL ? "<null>" : inet_ntop(2, &I->saddr);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntop(2, &I->daddr);
	ipv4_hdr = I;
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : I->version;
	ipv6_tclass = I == NULL ? 0 : (I->priority << 4) | (I->flow_lbl[0] >> 4);
	ipv6_flow = I == NULL ? 0 : ((I->flow_lbl[0] & 15) << 16) | (I->flow_lbl[1] << 8) | I->flow_lbl[2];
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<null>" : IP_PROTOCOL_NAME[I->nexthdr];
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = &I->saddr;
	ipv6_dst = &I->daddr;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntop(10, &I->saddr);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntop(10, &I->daddr);
	ipv6_hdr = I;
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

#pragma D attributes Evolving/Evolving/ISA translator
#pragma D binding "1.5" translator
translator udpsinfo_t < struct sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = S == NULL ? 0 : S->__sk_common.skc_num;
	udps_rport = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);
	udps_laddr = S == NULL ? "<null>" : SOCK_LADDR[S];
	udps_raddr = S == NULL ? "<null>" : SOCK_RADDR[S];
};
