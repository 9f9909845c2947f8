import type { Alert, EndedAlert } from '../../src/embeds/alert.ts';
import { now } from './contract-data.ts';

/** Alerts of every kind, and what they become once they are over. */
export const alerts: (Alert | EndedAlert)[] = [
  { kind: 'down', lastAnswerAt: now },
  { kind: 'up', awayMs: 4_000_000 },
  { kind: 'players', players: 40, maxPlayers: 60 },
  { kind: 'restart', at: now },
  { kind: 'wasDown', from: now, until: now + 60_000 },
  { kind: 'wasDown', from: null, until: now },
  { kind: 'wasDown', from: now, until: null },
  { kind: 'playersLeft', players: 40, from: now, until: now + 60_000 },
  { kind: 'restarted', at: now },
];
