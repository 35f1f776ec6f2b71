/*
 * says: operands have incompatible types: "char *" = "userland char *"
 */
char *kernel;
BEGIN { this->user = (userland char *)arg0; kernel = this->user; }
