/* The counters of models/counters.lna: N processes, each of which counts from 0 to 9 and begins again. */

#ifndef N
#define N 4
#endif

byte shown[N];

active [N] proctype counter()
{
  do
  :: d_step { shown[_pid] < 9 -> shown[_pid]++ }
  :: d_step { shown[_pid] == 9 -> shown[_pid] = 0 }
  od
}
