/*
 * says: provider name may not exceed 
 * says:  characters: pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp
 */
provider pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp { probe a(); };
