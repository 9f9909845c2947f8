/** Entry of the child process that reads logs, ban lists and other files of game servers; `roles/follow.ts` starts it. */
import { follow } from '../server/ingest/follower/follower-process.ts';

follow();
