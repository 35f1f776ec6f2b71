/* The least count of hardware events is 5000. */
cpc:::PAPI_tot_ins-all-4999 { }
