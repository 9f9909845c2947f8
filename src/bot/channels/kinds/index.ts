import type { AnyJob, JobKind } from '../job.ts';
import { alerts } from './alerts.ts';
import { feed } from './feed.ts';
import { leaderboard } from './leaderboard.ts';
import { recap } from './recap.ts';
import { schedule } from './schedule.ts';
import { status } from './status.ts';
import { watch } from './watch.ts';

/** `configured-jobs.ts` makes the options of a kind, and only the kind itself makes its state. */
export const kinds: Readonly<Record<JobKind, AnyJob>> = {
  status,
  leaderboard,
  schedule,
  alerts,
  feed,
  recap,
  watch,
};
