/* Pointers step by the size of what they point to. @@flags -q */
BEGIN
{
	this->p = (int *)1000; this->c = (char *)1000; this->l = (int64_t *)1000;
	printf("%d %d %d %d\n", (int64_t)(this->p + 2), (int64_t)(this->c + 2), (int64_t)(this->l + 2), (int64_t)(this->l - 1));
	printf("%d %d\n", (this->p + 5) - this->p, this->p + 1 > this->p);
	printf("%d %d\n", this->p == (int *)1000, this->p != NULL);
	exit(0);
}
