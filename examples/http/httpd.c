/*
 * httpd: a small HTTP server with probes of its own. `httpd PORT [REQUESTS]` serves /, /slow (20 ms) and nothing else,
 * and ends after so many requests.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What the probes pass; lib/http.d describes it to scripts. */
struct httpproto {
	char *hp_method;
	char *hp_path;
	char *hp_agent;
	char *hp_client;
	int hp_port;
	uint64_t hp_id;
};

#include "httpd.h"

static int answer(struct httpproto *p, int fd)
{
	char text[256];
	int status = 404;

	if (strcmp(p->hp_path, "/") == 0)
		status = 200;
	if (strcmp(p->hp_path, "/slow") == 0) {
		usleep(20000);
		status = 200;
	}
	int len = snprintf(text, sizeof text, "HTTP/1.0 %d -\r\nContent-Type: text/plain\r\n\r\n%s\n", status,
	    status == 200 ? "hello" : "not here");
	return write(fd, text, len) == len ? status : 500;
}

static char *header(char *request, const char *name)
{
	char *at = strstr(request, name);
	if (at == NULL)
		return "";
	at += strlen(name);
	at[strcspn(at, "\r\n")] = '\0';
	return at;
}

static void serve(int fd, struct sockaddr_in *peer, uint64_t id)
{
	char request[4096], client[INET_ADDRSTRLEN];
	size_t n = 0;
	do {
		ssize_t got = read(fd, request + n, sizeof request - 1 - n);
		if (got <= 0)
			return;
		n += got;
		request[n] = '\0';
	} while (strstr(request, "\r\n\r\n") == NULL && n < sizeof request - 1);
	struct httpproto p = { .hp_id = id, .hp_port = ntohs(peer->sin_port) };
	p.hp_client = (char *)inet_ntop(AF_INET, &peer->sin_addr, client, sizeof client);
	p.hp_agent = header(request, "User-Agent: ");
	p.hp_method = strtok(request, " ");
	p.hp_path = strtok(NULL, " ");
	if (p.hp_path == NULL)
		return;
	HTTPD_REQUEST_START(&p);
	int status = answer(&p, fd);
	HTTPD_REQUEST_DONE(&p, status);
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof at;
	int left = argc > 2 ? atoi(argv[2]) : -1, one = 1;

	if (argc < 2)
		return fprintf(stderr, "usage: httpd port [requests]\n"), 2;
	at.sin_port = htons(atoi(argv[1]));
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 16) || getsockname(fd, (struct sockaddr *)&at, &len))
		return perror("httpd"), 1;
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	for (uint64_t id = 1; left != 0; id++, left--) {
		struct sockaddr_in peer;
		len = sizeof peer;
		int client = accept(fd, (struct sockaddr *)&peer, &len);
		if (client < 0)
			return perror("httpd"), 1;
		serve(client, &peer, id);
		close(client);
	}
	return 0;
}
