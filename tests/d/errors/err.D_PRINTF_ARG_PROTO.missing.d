/*
 * says: printf( ) prototype mismatch: conversion #2 (%d) is missing a corresponding value argument
 */
BEGIN { printf("%d %d", 1); }
