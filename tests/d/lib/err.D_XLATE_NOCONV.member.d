/*
 * says: translator does not define conversion for member: pr_pctcpu (Linux keeps it for threads only: see pr_lwp and curlwpsinfo)
 */
BEGIN { trace(curpsinfo->pr_pctcpu); }
