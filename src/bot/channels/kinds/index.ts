import type { AnyJob, ChannelJob, JobKind } from '../job.ts';
import { alerts } from './alerts.ts';
import { feed } from './feed.ts';
import { leaderboard } from './leaderboard.ts';
import { recap } from './recap.ts';
import { schedule } from './schedule.ts';
import { status } from './status.ts';
import { watch } from './watch.ts';

/** The registry makes the options of a kind (`configured-jobs.ts`), and only the kind itself reads and returns its state. */
const anyOf = <Options, State>(job: ChannelJob<Options, State>): AnyJob => job as unknown as AnyJob;

export const kinds: Readonly<Record<JobKind, AnyJob>> = {
  status: anyOf(status),
  leaderboard: anyOf(leaderboard),
  schedule: anyOf(schedule),
  alerts: anyOf(alerts),
  feed: anyOf(feed),
  recap: anyOf(recap),
  watch: anyOf(watch),
};
