/* More keys than the aggregation can hold. @@flags -q -x aggsize=4k */
tick-1ms
{
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
	@[n++, "a key of some length"] = count();
}

tick-1s
{
	exit(0);
}
