/** The process that follows the sources of the config (`server/ingest/follower/`). */
import { follow } from '../server/ingest/follower/follower-process.ts';

follow();
