import { channelKinds } from '../../../config/schema/channel-jobs.ts';
import type { AnyJob, JobKind } from '../job.ts';
import { alerts } from './alerts.ts';
import { feed } from './feed.ts';
import { leaderboard } from './leaderboard.ts';
import { recap } from './recap.ts';
import { schedule } from './schedule.ts';
import { status } from './status.ts';
import { watch } from './watch.ts';

const jobs: Readonly<Record<JobKind, AnyJob>> = {
  status,
  leaderboard,
  schedule,
  alerts,
  feed,
  recap,
  watch,
};

const facts = { ...channelKinds, watch: { name: 'alert about players', isPost: false, needsLogs: true } };

/** A kind, with what is said of it in `config/schema/channel-jobs.ts`. */
export interface KnownJob extends AnyJob {
  /** For log lines. */
  name: string;
  /** Its message is a kept one: `/outpost posts` links to it. */
  isPost: boolean;
  /** It is off while the bot reads a service elsewhere, which has no kills, recaps and arrivals. */
  needsLogs: boolean;
}

export function jobOf(kind: JobKind): KnownJob {
  const { name, isPost, needsLogs } = facts[kind];
  return { ...jobs[kind], name, isPost, needsLogs };
}
