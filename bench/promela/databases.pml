/* The data base managers of models/databases.pn: a site that changes its copy tells all others and waits for their answers;
 * meanwhile no other may begin. A message is on its way (1), at work (2) or answered (3). Only one site sends at a time, so
 * the receiver is all there is to know of a message. */

#ifndef N
#define N 10
#endif

bit busy;
byte message[N];
byte answers;

active [N] proctype site()
{
  byte i;

  do
  :: d_step {
       !busy ->
       busy = 1;
       do
       :: i < N -> if :: i != _pid -> message[i] = 1 :: else fi; i++
       :: else -> break
       od;
       i = 0
     };
     d_step {
       answers == N - 1 ->
       busy = 0;
       answers = 0;
       do
       :: i < N -> message[i] = 0; i++
       :: else -> break
       od;
       i = 0
     }
  :: d_step { message[_pid] == 1 -> message[_pid] = 2 }
  :: d_step { message[_pid] == 2 -> message[_pid] = 3; answers++ }
  od
}
