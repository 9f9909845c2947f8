/** The process that follows the sources of the config (`server/ingest/follower/`). It knows the games. */
import { logFormats } from '../server/games/index.ts';
import { follow } from '../server/ingest/follower/follower-process.ts';

follow(logFormats);
