/*
 * says: printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding "
 */
BEGIN { printf("%*d"); }
