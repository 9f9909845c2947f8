/** The thread that follows the sources of the config (`server/ingest/follower/`). It knows the games. */
import { parentPort, workerData } from 'node:worker_threads';
import { logFormats } from '../server/games/index.ts';
import { follow, type ThreadData } from '../server/ingest/follower/follower-thread.ts';

if (parentPort !== null) await follow(parentPort, workerData as ThreadData, logFormats);
