/*
 * http.d: what scripts see of an HTTP request, and how to make it of the server's structure. The structure is in the
 * server's memory, so what its pointers point to is copied in.
 */

typedef struct httpproto {
	char *hp_method;
	char *hp_path;
	char *hp_agent;
	char *hp_client;	/* address */
	int hp_port;
	uint64_t hp_id;
} httpproto_t;

typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

typedef struct http_reqinfo {
	uint64_t hri_id;
	string hri_method;
	string hri_uri;
	string hri_useragent;
	int hri_port;
} http_reqinfo_t;

#pragma D attributes Evolving/Evolving/Common translator
translator conninfo_t < httpproto_t *P > {
	ci_local = "127.0.0.1";
	ci_remote = copyinstr((uintptr_t)*(uintptr_t *)copyin((uintptr_t)&P->hp_client, sizeof (uintptr_t)));
	ci_protocol = "ipv4";
};

#pragma D attributes Evolving/Evolving/Common translator
translator http_reqinfo_t < httpproto_t *P > {
	hri_id = P->hp_id;
	hri_method = copyinstr((uintptr_t)P->hp_method);
	hri_uri = copyinstr((uintptr_t)P->hp_path);
	hri_useragent = copyinstr((uintptr_t)P->hp_agent);
	hri_port = *(int *)copyin((uintptr_t)&P->hp_port, sizeof (int));
};
