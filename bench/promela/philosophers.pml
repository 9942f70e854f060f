/* The philosophers of models/philosophers.lna: the left fork first, then the right one. Where a philosopher is in the
 * loop tells whether it thinks, holds a fork or eats. */

#ifndef N
#define N 5
#endif

bit taken[N];

active [N] proctype philosopher()
{
  do
  :: d_step { !taken[_pid] -> taken[_pid] = 1 };
     d_step { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = 1 };
     d_step { taken[_pid] = 0; taken[(_pid + 1) % N] = 0 }
  od
}
