/*
 * httpd.d: the probes of the example server. It passes a structure of its own; scripts see conninfo_t and http_reqinfo_t,
 * which the translators in lib/http.d make of it.
 */

provider httpd {
	probe request__start(httpproto_t *p) : (conninfo_t *p, http_reqinfo_t *p);
	probe request__done(httpproto_t *p, int status) : (conninfo_t *p, http_reqinfo_t *p, int status);
};

#pragma D attributes Evolving/Evolving/Common provider httpd provider
#pragma D attributes Private/Private/Unknown provider httpd module
#pragma D attributes Private/Private/Unknown provider httpd function
#pragma D attributes Evolving/Evolving/Common provider httpd name
#pragma D attributes Evolving/Evolving/Common provider httpd args
