/*
 * Talks to itself over the loopback: N connections of TCP that each carry 5 bytes there and 10 back, 3 that are refused
 * (at port 1), and 7 datagrams of 33 bytes. `talk 4|6 N` prints the port of the server.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int family, count, listener;

static socklen_t local(struct sockaddr_storage *s, int port)
{
    memset(s, 0, sizeof *s);
    s->ss_family = family;
    if (family == AF_INET6) {
        struct sockaddr_in6 *in = (struct sockaddr_in6 *)s;
        in->sin6_addr = in6addr_loopback;
        in->sin6_port = htons(port);
        return sizeof *in;
    }
    struct sockaddr_in *in = (struct sockaddr_in *)s;
    in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    in->sin_port = htons(port);
    return sizeof *in;
}

static int port_of(int fd)
{
    struct sockaddr_storage s;
    socklen_t len = sizeof s;
    getsockname(fd, (struct sockaddr *)&s, &len);
    return ntohs(family == AF_INET6 ? ((struct sockaddr_in6 *)&s)->sin6_port : ((struct sockaddr_in *)&s)->sin_port);
}

static void *serve(void *unused)
{
    char text[16];
    for (int i = 0; i < count; i++) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0 || read(fd, text, sizeof text) != 5 || write(fd, "0123456789", 10) != 10)
            exit(3);
        close(fd);
    }
    return unused;
}

int main(int argc, char **argv)
{
    struct sockaddr_storage s;
    pthread_t server;
    char text[64];
    if (argc != 3)
        return 2;
    family = atoi(argv[1]) == 6 ? AF_INET6 : AF_INET;
    count = atoi(argv[2]);
    listener = socket(family, SOCK_STREAM, 0);
    socklen_t len = local(&s, 0);
    if (bind(listener, (struct sockaddr *)&s, len) || listen(listener, 128))
        return 4;
    int port = port_of(listener);
    pthread_create(&server, NULL, serve, NULL);
    for (int i = 0; i < count; i++) {
        int fd = socket(family, SOCK_STREAM, 0);
        local(&s, port);
        if (connect(fd, (struct sockaddr *)&s, len) || write(fd, "hello", 5) != 5)
            return 5;
        while (read(fd, text, sizeof text) > 0)
            ;
        close(fd);
    }
    pthread_join(server, NULL);
    for (int i = 0; i < 3; i++) {
        int fd = socket(family, SOCK_STREAM, 0);
        local(&s, 1);
        if (connect(fd, (struct sockaddr *)&s, len) == 0)
            return 6;
        close(fd);
    }
    int to = socket(family, SOCK_DGRAM, 0), from = socket(family, SOCK_DGRAM, 0);
    local(&s, 0);
    bind(to, (struct sockaddr *)&s, len);
    local(&s, port_of(to));
    for (int i = 0; i < 7; i++)
        if (sendto(from, text, 33, 0, (struct sockaddr *)&s, len) != 33 || read(to, text, sizeof text) != 33)
            return 7;
    printf("%d\n", port);
    return 0;
}
