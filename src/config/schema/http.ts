import { isIP } from 'node:net';
import { z } from 'zod';
import { boardMetrics } from '../../api/log-metrics.ts';
import { host, id, ownPort, webAddress, wholeNumber } from './values.ts';

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

function isOrigin(text: string): boolean {
  if (text === '*') return true;
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const cors = z.strictObject({
  origins: z
    .array(z.string().refine(isOrigin, { error: 'expected an origin such as https://example.org, or "*"' }))
    .default([])
    .describe('pages in browsers that may read the service; empty: none, "*": all'),
});

const metrics = z.strictObject({
  host: host.default('127.0.0.1'),
  port: ownPort.describe('metrics for Prometheus at /metrics; 0: any free port'),
});

const connectionCount = wholeNumber('connections', 1, 1_000_000);

const page = z.strictObject({
  indexed: z
    .boolean()
    .default(false)
    .describe('true: search engines may list it; false: each page asks them not to'),
  players: z.boolean().default(true).describe('false: no leaderboards, and no pages of players'),
  boards: z
    .array(z.enum(boardMetrics))
    .default(['PLAYER_KILLS', 'LONGEST_KILL', 'PLAYTIME'])
    .describe('the leaderboards of the first page; all others are one click away'),
  projects: z
    .array(id)
    .optional()
    .describe('slugs of the projects that have a page; left out: all that are not suspended'),
});

export const http = z.strictObject({
  host: host
    .default('127.0.0.1')
    .describe('127.0.0.1: this machine only; 0.0.0.0: everyone who can reach it'),
  port: ownPort.default(8080).describe('0: any free port'),
  supportUrl: webAddress.optional().describe("address of the projects' support pages; /<slug> is added"),
  publicUrl: webAddress
    .optional()
    .describe('where members reach this service; the bot then links /join/<server>. Left out: no such links'),
  securityContact: z
    .string()
    .regex(/^(?:https:\/\/|mailto:)\S+$/, { error: 'expected https://… or mailto:…' })
    .optional()
    .describe('where to report a vulnerability, in /.well-known/security.txt; left out: no such file'),
  trustProxy: z
    .array(z.string().refine(isNetwork, { error: 'expected an address or a network such as 10.0.0.0/8' }))
    .default([])
    .describe('your proxies: their X-Forwarded-For says who is calling; default: nobody is believed'),
  maxConnections: connectionCount
    .optional()
    .describe('open at once, all callers together; a few more are left to this machine; default: 4000'),
  maxConnectionsPerAddress: connectionCount
    .optional()
    .describe('of one address (an IPv6 /64 is one), but for this machine and trusted proxies; default: 200'),
  cors: cors.prefault({}),
  page: page
    .optional()
    .describe('the public page at / for everyone who can reach this service; left out: there is none'),
  metrics: metrics.optional().describe('left out: no metrics are served'),
  logRequests: z
    .boolean()
    .default(false)
    .describe('true: a line in the log for each request; false: only with LOG_LEVEL=debug'),
});

export const live = z.strictObject({
  // Charts have a figure every five minutes.
  pollSeconds: wholeNumber('seconds', 1, 240)
    .default(15)
    .describe('seconds from one check of a server to its next; default 15'),
});
