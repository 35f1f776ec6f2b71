/* What another system has is refused with the reason. */
BEGIN { trace(sx_isexclusive(0)); }
