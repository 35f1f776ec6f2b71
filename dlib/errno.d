/*
 * errno.d: error numbers of system calls, as Linux numbers them (asm-generic/errno*.h).
 */

inline int EPERM = 1;	/* Operation not permitted */
#pragma D binding "1.0" EPERM
inline int ENOENT = 2;	/* No such file or directory */
#pragma D binding "1.0" ENOENT
inline int ESRCH = 3;	/* No such process */
#pragma D binding "1.0" ESRCH
inline int EINTR = 4;	/* Interrupted system call */
#pragma D binding "1.0" EINTR
inline int EIO = 5;	/* Input/output error */
#pragma D binding "1.0" EIO
inline int ENXIO = 6;	/* No such device or address */
#pragma D binding "1.0" ENXIO
inline int E2BIG = 7;	/* Argument list too long */
#pragma D binding "1.0" E2BIG
inline int ENOEXEC = 8;	/* Exec format error */
#pragma D binding "1.0" ENOEXEC
inline int EBADF = 9;	/* Bad file descriptor */
#pragma D binding "1.0" EBADF
inline int ECHILD = 10;	/* No child processes */
#pragma D binding "1.0" ECHILD
inline int EAGAIN = 11;	/* Resource temporarily unavailable */
#pragma D binding "1.0" EAGAIN
inline int ENOMEM = 12;	/* Cannot allocate memory */
#pragma D binding "1.0" ENOMEM
inline int EACCES = 13;	/* Permission denied */
#pragma D binding "1.0" EACCES
inline int EFAULT = 14;	/* Bad address */
#pragma D binding "1.0" EFAULT
inline int ENOTBLK = 15;	/* Block device required */
#pragma D binding "1.0" ENOTBLK
inline int EBUSY = 16;	/* Device or resource busy */
#pragma D binding "1.0" EBUSY
inline int EEXIST = 17;	/* File exists */
#pragma D binding "1.0" EEXIST
inline int EXDEV = 18;	/* Invalid cross-device link */
#pragma D binding "1.0" EXDEV
inline int ENODEV = 19;	/* No such device */
#pragma D binding "1.0" ENODEV
inline int ENOTDIR = 20;	/* Not a directory */
#pragma D binding "1.0" ENOTDIR
inline int EISDIR = 21;	/* Is a directory */
#pragma D binding "1.0" EISDIR
inline int EINVAL = 22;	/* Invalid argument */
#pragma D binding "1.0" EINVAL
inline int ENFILE = 23;	/* Too many open files in system */
#pragma D binding "1.0" ENFILE
inline int EMFILE = 24;	/* Too many open files */
#pragma D binding "1.0" EMFILE
inline int ENOTTY = 25;	/* Inappropriate ioctl for device */
#pragma D binding "1.0" ENOTTY
inline int ETXTBSY = 26;	/* Text file busy */
#pragma D binding "1.0" ETXTBSY
inline int EFBIG = 27;	/* File too large */
#pragma D binding "1.0" EFBIG
inline int ENOSPC = 28;	/* No space left on device */
#pragma D binding "1.0" ENOSPC
inline int ESPIPE = 29;	/* Illegal seek */
#pragma D binding "1.0" ESPIPE
inline int EROFS = 30;	/* Read-only file system */
#pragma D binding "1.0" EROFS
inline int EMLINK = 31;	/* Too many links */
#pragma D binding "1.0" EMLINK
inline int EPIPE = 32;	/* Broken pipe */
#pragma D binding "1.0" EPIPE
inline int EDOM = 33;	/* Numerical argument out of domain */
#pragma D binding "1.0" EDOM
inline int ERANGE = 34;	/* Numerical result out of range */
#pragma D binding "1.0" ERANGE
inline int EDEADLOCK = 35;	/* Resource deadlock avoided */
#pragma D binding "1.0" EDEADLOCK
inline int ENAMETOOLONG = 36;	/* File name too long */
#pragma D binding "1.0" ENAMETOOLONG
inline int ENOLCK = 37;	/* No locks available */
#pragma D binding "1.0" ENOLCK
inline int ENOSYS = 38;	/* Function not implemented */
#pragma D binding "1.0" ENOSYS
inline int ENOTEMPTY = 39;	/* Directory not empty */
#pragma D binding "1.0" ENOTEMPTY
inline int ELOOP = 40;	/* Too many levels of symbolic links */
#pragma D binding "1.0" ELOOP
inline int ENOMSG = 42;	/* No message of desired type */
#pragma D binding "1.0" ENOMSG
inline int EIDRM = 43;	/* Identifier removed */
#pragma D binding "1.0" EIDRM
inline int ECHRNG = 44;	/* Channel number out of range */
#pragma D binding "1.0" ECHRNG
inline int EL2NSYNC = 45;	/* Level 2 not synchronized */
#pragma D binding "1.0" EL2NSYNC
inline int EL3HLT = 46;	/* Level 3 halted */
#pragma D binding "1.0" EL3HLT
inline int EL3RST = 47;	/* Level 3 reset */
#pragma D binding "1.0" EL3RST
inline int ELNRNG = 48;	/* Link number out of range */
#pragma D binding "1.0" ELNRNG
inline int EUNATCH = 49;	/* Protocol driver not attached */
#pragma D binding "1.0" EUNATCH
inline int ENOCSI = 50;	/* No CSI structure available */
#pragma D binding "1.0" ENOCSI
inline int EL2HLT = 51;	/* Level 2 halted */
#pragma D binding "1.0" EL2HLT
inline int EBADE = 52;	/* Invalid exchange */
#pragma D binding "1.0" EBADE
inline int EBADR = 53;	/* Invalid request descriptor */
#pragma D binding "1.0" EBADR
inline int EXFULL = 54;	/* Exchange full */
#pragma D binding "1.0" EXFULL
inline int ENOANO = 55;	/* No anode */
#pragma D binding "1.0" ENOANO
inline int EBADRQC = 56;	/* Invalid request code */
#pragma D binding "1.0" EBADRQC
inline int EBADSLT = 57;	/* Invalid slot */
#pragma D binding "1.0" EBADSLT
inline int EBFONT = 59;	/* Bad font file format */
#pragma D binding "1.0" EBFONT
inline int ENOSTR = 60;	/* Device not a stream */
#pragma D binding "1.0" ENOSTR
inline int ENODATA = 61;	/* No data available */
#pragma D binding "1.0" ENODATA
inline int ETIME = 62;	/* Timer expired */
#pragma D binding "1.0" ETIME
inline int ENOSR = 63;	/* Out of streams resources */
#pragma D binding "1.0" ENOSR
inline int ENONET = 64;	/* Machine is not on the network */
#pragma D binding "1.0" ENONET
inline int ENOPKG = 65;	/* Package not installed */
#pragma D binding "1.0" ENOPKG
inline int EREMOTE = 66;	/* Object is remote */
#pragma D binding "1.0" EREMOTE
inline int ENOLINK = 67;	/* Link has been severed */
#pragma D binding "1.0" ENOLINK
inline int EADV = 68;	/* Advertise error */
#pragma D binding "1.0" EADV
inline int ESRMNT = 69;	/* Srmount error */
#pragma D binding "1.0" ESRMNT
inline int ECOMM = 70;	/* Communication error on send */
#pragma D binding "1.0" ECOMM
inline int EPROTO = 71;	/* Protocol error */
#pragma D binding "1.0" EPROTO
inline int EMULTIHOP = 72;	/* Multihop attempted */
#pragma D binding "1.0" EMULTIHOP
inline int EDOTDOT = 73;	/* RFS specific error */
#pragma D binding "1.0" EDOTDOT
inline int EBADMSG = 74;	/* Bad message */
#pragma D binding "1.0" EBADMSG
inline int EOVERFLOW = 75;	/* Value too large for defined data type */
#pragma D binding "1.0" EOVERFLOW
inline int ENOTUNIQ = 76;	/* Name not unique on network */
#pragma D binding "1.0" ENOTUNIQ
inline int EBADFD = 77;	/* File descriptor in bad state */
#pragma D binding "1.0" EBADFD
inline int EREMCHG = 78;	/* Remote address changed */
#pragma D binding "1.0" EREMCHG
inline int ELIBACC = 79;	/* Can not access a needed shared library */
#pragma D binding "1.0" ELIBACC
inline int ELIBBAD = 80;	/* Accessing a corrupted shared library */
#pragma D binding "1.0" ELIBBAD
inline int ELIBSCN = 81;	/* .lib section in a.out corrupted */
#pragma D binding "1.0" ELIBSCN
inline int ELIBMAX = 82;	/* Attempting to link in too many shared libraries */
#pragma D binding "1.0" ELIBMAX
inline int ELIBEXEC = 83;	/* Cannot exec a shared library directly */
#pragma D binding "1.0" ELIBEXEC
inline int EILSEQ = 84;	/* Invalid or incomplete multibyte or wide character */
#pragma D binding "1.0" EILSEQ
inline int ERESTART = 85;	/* Interrupted system call should be restarted */
#pragma D binding "1.0" ERESTART
inline int ESTRPIPE = 86;	/* Streams pipe error */
#pragma D binding "1.0" ESTRPIPE
inline int EUSERS = 87;	/* Too many users */
#pragma D binding "1.0" EUSERS
inline int ENOTSOCK = 88;	/* Socket operation on non-socket */
#pragma D binding "1.0" ENOTSOCK
inline int EDESTADDRREQ = 89;	/* Destination address required */
#pragma D binding "1.0" EDESTADDRREQ
inline int EMSGSIZE = 90;	/* Message too long */
#pragma D binding "1.0" EMSGSIZE
inline int EPROTOTYPE = 91;	/* Protocol wrong type for socket */
#pragma D binding "1.0" EPROTOTYPE
inline int ENOPROTOOPT = 92;	/* Protocol not available */
#pragma D binding "1.0" ENOPROTOOPT
inline int EPROTONOSUPPORT = 93;	/* Protocol not supported */
#pragma D binding "1.0" EPROTONOSUPPORT
inline int ESOCKTNOSUPPORT = 94;	/* Socket type not supported */
#pragma D binding "1.0" ESOCKTNOSUPPORT
inline int ENOTSUP = 95;	/* Operation not supported */
#pragma D binding "1.0" ENOTSUP
inline int EPFNOSUPPORT = 96;	/* Protocol family not supported */
#pragma D binding "1.0" EPFNOSUPPORT
inline int EAFNOSUPPORT = 97;	/* Address family not supported by protocol */
#pragma D binding "1.0" EAFNOSUPPORT
inline int EADDRINUSE = 98;	/* Address already in use */
#pragma D binding "1.0" EADDRINUSE
inline int EADDRNOTAVAIL = 99;	/* Cannot assign requested address */
#pragma D binding "1.0" EADDRNOTAVAIL
inline int ENETDOWN = 100;	/* Network is down */
#pragma D binding "1.0" ENETDOWN
inline int ENETUNREACH = 101;	/* Network is unreachable */
#pragma D binding "1.0" ENETUNREACH
inline int ENETRESET = 102;	/* Network dropped connection on reset */
#pragma D binding "1.0" ENETRESET
inline int ECONNABORTED = 103;	/* Software caused connection abort */
#pragma D binding "1.0" ECONNABORTED
inline int ECONNRESET = 104;	/* Connection reset by peer */
#pragma D binding "1.0" ECONNRESET
inline int ENOBUFS = 105;	/* No buffer space available */
#pragma D binding "1.0" ENOBUFS
inline int EISCONN = 106;	/* Transport endpoint is already connected */
#pragma D binding "1.0" EISCONN
inline int ENOTCONN = 107;	/* Transport endpoint is not connected */
#pragma D binding "1.0" ENOTCONN
inline int ESHUTDOWN = 108;	/* Cannot send after transport endpoint shutdown */
#pragma D binding "1.0" ESHUTDOWN
inline int ETOOMANYREFS = 109;	/* Too many references: cannot splice */
#pragma D binding "1.0" ETOOMANYREFS
inline int ETIMEDOUT = 110;	/* Connection timed out */
#pragma D binding "1.0" ETIMEDOUT
inline int ECONNREFUSED = 111;	/* Connection refused */
#pragma D binding "1.0" ECONNREFUSED
inline int EHOSTDOWN = 112;	/* Host is down */
#pragma D binding "1.0" EHOSTDOWN
inline int EHOSTUNREACH = 113;	/* No route to host */
#pragma D binding "1.0" EHOSTUNREACH
inline int EALREADY = 114;	/* Operation already in progress */
#pragma D binding "1.0" EALREADY
inline int EINPROGRESS = 115;	/* Operation now in progress */
#pragma D binding "1.0" EINPROGRESS
inline int ESTALE = 116;	/* Stale file handle */
#pragma D binding "1.0" ESTALE
inline int EUCLEAN = 117;	/* Structure needs cleaning */
#pragma D binding "1.0" EUCLEAN
inline int ENOTNAM = 118;	/* Not a XENIX named type file */
#pragma D binding "1.0" ENOTNAM
inline int ENAVAIL = 119;	/* No XENIX semaphores available */
#pragma D binding "1.0" ENAVAIL
inline int EISNAM = 120;	/* Is a named type file */
#pragma D binding "1.0" EISNAM
inline int EREMOTEIO = 121;	/* Remote I/O error */
#pragma D binding "1.0" EREMOTEIO
inline int EDQUOT = 122;	/* Disk quota exceeded */
#pragma D binding "1.0" EDQUOT
inline int ENOMEDIUM = 123;	/* No medium found */
#pragma D binding "1.0" ENOMEDIUM
inline int EMEDIUMTYPE = 124;	/* Wrong medium type */
#pragma D binding "1.0" EMEDIUMTYPE
inline int ECANCELED = 125;	/* Operation canceled */
#pragma D binding "1.0" ECANCELED
inline int ENOKEY = 126;	/* Required key not available */
#pragma D binding "1.0" ENOKEY
inline int EKEYEXPIRED = 127;	/* Key has expired */
#pragma D binding "1.0" EKEYEXPIRED
inline int EKEYREVOKED = 128;	/* Key has been revoked */
#pragma D binding "1.0" EKEYREVOKED
inline int EKEYREJECTED = 129;	/* Key was rejected by service */
#pragma D binding "1.0" EKEYREJECTED
inline int EOWNERDEAD = 130;	/* Owner died */
#pragma D binding "1.0" EOWNERDEAD
inline int ENOTRECOVERABLE = 131;	/* State not recoverable */
#pragma D binding "1.0" ENOTRECOVERABLE
inline int ERFKILL = 132;	/* Operation not possible due to RF-kill */
#pragma D binding "1.0" ERFKILL
inline int EWOULDBLOCK = 11;
#pragma D binding "1.0" EWOULDBLOCK
