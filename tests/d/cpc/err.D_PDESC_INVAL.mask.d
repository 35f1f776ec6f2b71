/* Generic events take no mask. */
cpc:::page_faults-all-0x1-5000 { }
