/* Milner's scheduler as in models/scheduler.lna: N cells in a ring start a task each, in turn and again and again. */

#ifndef N
#define N 6
#endif

byte turn;
bit handing;
bit running[N];

active [N] proctype cell()
{
  do
  :: d_step { turn == _pid && !handing && !running[_pid] -> handing = 1; running[_pid] = 1 }
  :: d_step { turn == _pid && handing -> handing = 0; turn = (turn + 1) % N }
  :: d_step { running[_pid] -> running[_pid] = 0 }
  od
}
