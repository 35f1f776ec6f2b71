/*
 * says: operator , operands cannot be actions
 */
BEGIN { trace(1), trace(2); }
