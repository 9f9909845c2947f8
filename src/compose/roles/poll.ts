import { createHash } from 'node:crypto';
import { Poller, type PollShare } from '../../server/live/poller.ts';
import type { Core } from '../core.ts';
import type { Queries } from '../queries.ts';

/** Enough that several processes get similar shares, and few enough that a transaction can check the leases of all. */
const shards = 16;

const pollLeases = Array.from({ length: shards }, (_, index) => `poll:${index}`);

/** A server is always in the same shard. */
function shardOf(serverId: string): string {
  const digest = createHash('sha256').update(serverId).digest();
  return `poll:${digest.readUInt32BE(0) % shards}`;
}

/** The role `poll`: queries game servers and stores their states. Several processes divide the shards among them. */
export function startPoll(core: Core, { check }: Queries): Poller {
  const { data, log, config, clock, readiness, closers, leases } = core;
  const { db, shared } = data.writer;
  // It may report leases before there is a poller, which then begins with them.
  const claim = leases.claim({ onChange: () => void poller?.refresh() });
  const share: PollShare = {
    includes: (serverId) => claim.held().has(shardOf(serverId)),
    databaseFor(serverIds) {
      const held = claim.held();
      const names = [...new Set(serverIds.map(shardOf))];
      // No lease is held in epoch 0, so what is written for one that was lost meanwhile fails.
      return shared?.fenced(names.map((name) => ({ name, epoch: held.get(name) ?? 0 }))) ?? db;
    },
  };
  let poller: Poller | undefined;
  claim.want(pollLeases);
  const periodMs = 1_000 * config().live.pollSeconds;
  const started = new Poller({ db, check, log, periodMs, share, ...clock });
  poller = started;
  closers.push(claim.close, () => started.stop());
  readiness['poller'] = () => started.isWorking();
  return started;
}
