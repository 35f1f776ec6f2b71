/* at most 70 instructions */
profile-97 { @[stack(10)] = count(); }
