// Package source turns paths into readable sources: it recognises file kinds,
// archives and encodings, cleans lines of terminal control and log prefixes,
// and pairs streams, ranks and hosts of one job.
package source
