BEGIN { trace(fds["a"].fi_name); }
