/* Peterson's algorithm among N processes, step by step as in models/peterson.lna. The level l and the process q that is
 * looked at are set back as soon as they do not matter. */

#ifndef N
#define N 4
#endif

bit wants[N];
byte latest[N - 1];

active [N] proctype process()
{
  byte l, q;

  do
  :: wants[_pid] = 1;
signing:
     latest[l] = _pid;
waiting:
     if
     :: latest[l] != _pid; goto leaving
     :: latest[l] == _pid
     fi;
choosing:
     skip;
     if
     :: q == _pid; goto looked
     :: q != _pid
     fi;
     if
     :: d_step { wants[q] -> q = 0 }; goto waiting
     :: !wants[q]
     fi;
looked:
     if
     :: d_step { q < N - 1 -> q++ }; goto choosing
     :: d_step { q == N - 1 -> q = 0 }
     fi;
leaving:
     if
     :: d_step { l < N - 2 -> l++ }; goto signing
     :: d_step { l == N - 2 -> l = 0 }
     fi;
     wants[_pid] = 0
  od
}
