BEGIN { trace(nonsense); }
