/*
 * says: probe description nonsense:::entry does not match any probes
 */
nonsense:::entry { trace(1); }
