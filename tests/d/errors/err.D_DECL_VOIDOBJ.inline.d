/*
 * says: cannot declare void inline: x
 */
inline void x = 1;
