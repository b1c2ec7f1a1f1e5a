// Package bench compares settings (device, dtype, compile) by running them in
// turn, and says whether the comparison can be believed.
//
// All arms run in every round, the order turned round from one round to the
// next (A B B A), so that a drift of the machine meets all of them alike. The
// first round is dropped as warm-up; at least six must follow, fewer cannot
// show anything. Rounds are pairs: each arm is held against the first arm of
// the same round.
//
// A control that cannot respond to the setting runs before and after each arm,
// in the same turn. If it is faster in one arm's turns than in another's, what
// differed is the machine: the whole comparison is CONFOUNDED, whatever the
// arms say.
//
// Times of whole runs stand beside times of steps: kernels that are 1.9 times
// as fast were seen to make runs 1.0 to 1.17 times as fast.
package bench
