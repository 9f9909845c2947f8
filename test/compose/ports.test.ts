import { expect, it } from 'vitest';
import { createPorts } from '../../src/compose/ports.ts';
import { configSchema } from '../../src/config-schema.ts';
import { rememberReadings } from '../../src/server/live/latest-readings.ts';
import { northwood } from '../harness/northwood.ts';

const observedAt = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;

async function start(http: object = {}) {
  let time = observedAt;
  const config = configSchema.parse({ ...northwood(), http });
  const reading = { map: null, players: 3, maxPlayers: 60, queue: 2, listed: [], observedAt };
  const readings = rememberReadings(async () => reading);
  await readings.query({ game: 'dayz', host: '127.0.0.1', port: 2302, queryPort: 1 });
  const ports = createPorts(
    () => config,
    readings,
    () => time,
  );
  return { ports, advance: (ms: number) => void (time += ms) };
}

it('tells of a server what its latest query said, and nothing once that is old', async () => {
  const { ports, advance } = await start();
  expect(ports.live?.('northwood-1')).toEqual({ queue: 2, sessions: [], observedAt });
  expect(ports.live?.('nowhere')).toBeNull();
  advance(5 * minute + 1);
  expect(ports.live?.('northwood-1')).toBeNull();
});

it.each(['https://play.example.org', 'https://play.example.org/'])(
  'makes links below %s, to servers that are there',
  async (publicUrl) => {
    const { ports } = await start({ publicUrl });
    expect(ports.joinUrl?.('northwood-1')).toBe('https://play.example.org/join/northwood-1');
    expect(ports.joinUrl?.('nowhere')).toBeNull();
  },
);
