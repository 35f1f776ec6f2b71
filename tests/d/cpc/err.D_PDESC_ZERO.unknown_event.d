/* No event has this name. */
cpc:::no_such_event-all-5000 { }
