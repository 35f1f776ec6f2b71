/*
 * says: are less than predefined minimum
 * @@flags -x amin=Stable/Stable/Common
 */
BEGIN { trace(curthread->pid); }
